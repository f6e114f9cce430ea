import path from 'node:path';
import {
  cwdIfReadable,
  headBytesMax,
  jsonIn,
  type Line,
  linesOf,
  type Opened,
  objectIn,
  smallText,
} from '#assistants/form';
import { isObject, objectAt, stringAt } from '#core/event';
import { type OnItem, Reading } from './transcript.ts';

export interface Tail extends Opened {
  readonly file: string;
  readonly session: string;
  readonly bytesMax: number;
}

/** The folder in which the session of a transcript began; null when neither its beginning nor a file above it names one: then nobody checks the project. */
export async function folderOf(file: string): Promise<string | null> {
  const cwd = await cwdIfReadable(file, (record) => {
    const inner = objectAt(record, 'payload') ?? objectAt(record, 'data') ?? {};
    const parts = [record, inner, objectAt(inner, 'context') ?? {}];
    return parts.map((part) => stringAt(part, 'cwd')).find(Boolean);
  });
  return cwd ?? folderAbove(file);
}

/** As Gemini CLI and Cursor write it, of the sub-agents' files too. */
function folderAbove(file: string): string | null {
  let folder = path.dirname(file);
  for (let above = 0; above < aboveMax; above += 1) {
    folder = path.dirname(folder);
    const trusted = objectIn(path.join(folder, '.workspace-trusted')) ?? {};
    const found = smallText(path.join(folder, '.project_root'))?.trim() || stringAt(trusted, 'workspacePath');
    if (found) return found;
  }
  return null;
}

const aboveMax = 3;

/**
 * Reads an open transcript (`.jsonl`) from `start`, the beginning of a line, while its client may write it: a line that is not whole
 * is passed over, and read the next time. Its first line is read in any case: some clients name the session only there.
 * @returns where the last turn begins: reading from there again gives its messages the same turn
 * @throws Failure `transcript_unreadable`
 */
export async function readTail(
  { file, session, fd, start, bytesMax }: Tail,
  onItem: OnItem,
): Promise<number> {
  let isPrompt = false;
  let isAny = false;
  const reading = new Reading(
    (item) => {
      isAny = true;
      if (item.kind === 'observation' && item.observation.message?.role === 'user') isPrompt = true;
      return onItem(item);
    },
    { session },
  );
  const take = async (line: Line): Promise<void> => {
    const record = line.bytes === null ? undefined : jsonIn(line.bytes);
    if (isObject(record)) await reading.takeLine(line, record);
  };
  if (start > 0) {
    const head = await firstLine(file, fd);
    if (head !== null) await take(head);
  }
  /** After the last record that gave something: records without anything before a prompt may name its turn. */
  let after = start;
  let turn = start;
  for await (const lines of linesOf(file, bytesMax, { fd, start })) {
    for (const line of lines) {
      isAny = false;
      isPrompt = false;
      await take(line);
      if (isPrompt) turn = after;
      if (isAny) after = start + line.at + (line.bytes?.length ?? 0) + 1;
    }
  }
  await reading.end(false);
  return turn;
}

async function firstLine(file: string, fd: number): Promise<Line | null> {
  for await (const [line] of linesOf(file, headBytesMax, { fd, start: 0 })) {
    if (line !== undefined) return line;
  }
  return null;
}
