import { parsePayload } from '../../calls/call/index.ts';
import { subjectKey } from '../../calls/subjects/index.ts';
import { oneLine } from '../../calls/text/index.ts';
import { promptBefore, type Store, type StoredStep, stepsAbout } from '../../memory/store/index.ts';
import { type Step, stepOf } from './step.ts';

const stepsMax = 400;
const promptCharsMax = 240;

export interface FileHistory {
  readonly path: string;
  /** The calls that read or changed the file, newest first, each with its session and the request of its turn. */
  readonly steps: readonly (Step & { readonly sessionId: string; readonly asked: string })[];
  readonly isCut: boolean;
}

/** All that calls did to a file, by its path as steps show it. */
export function fileHistory({ connection }: Pick<Store, 'connection'>, path: string): FileHistory {
  const rows = stepsAbout(connection, [subjectKey({ kind: 'file', name: path })], stepsMax + 1);
  const askedAt = new Map<string, string>();
  const asked = (row: StoredStep): string => {
    const json = promptBefore(connection, row.sessionId, row) ?? '';
    const known = askedAt.get(json) ?? promptIn(json);
    askedAt.set(json, known);
    return known;
  };
  return {
    path,
    steps: rows
      .slice(0, stepsMax)
      .map((row) => ({ ...stepOf(row), sessionId: row.sessionId, asked: asked(row) })),
    isCut: rows.length > stepsMax,
  };
}

function promptIn(payloadJson: string): string {
  const parsed = parsePayload(payloadJson);
  const text = 'payload' in parsed ? parsed.payload.output : '';
  return typeof text === 'string' ? oneLine(text, promptCharsMax) : '';
}
