import { helpersOf, type StepCursor, type Store, stepsAfter } from '#memory/store';
import { familyOf, fromRoot, readStored } from '#reading/call';
import {
  addPlace,
  type DiffLine,
  type FileChange,
  fileDiff,
  lineDiff,
  type Place,
  placeOf,
  wholeChangesIn,
} from '#reading/edits';
import { plainPath } from '#reading/text';
import { rootOf } from './steps.ts';

const pageRows = 100;
const linesMax = 4_000;

/** A file as one session changed it. */
interface Changed {
  readonly places: Place[];
  edits: number;
}

export type SessionDiff = ReturnType<typeof sessionDiff>;

/** What a session changed in a file altogether: a line that one edit adds and a later one removes is not in it. */
export function sessionDiff(store: Pick<Store, 'connection'>, sessionId: string, path: string) {
  const { places, edits } = changedIn(store, sessionId, path);
  const lines = places
    .map(diffOf)
    .filter((diff) => diff.some(({ kind }) => kind === 'added' || kind === 'removed'))
    .flatMap((diff, at): DiffLine[] => (at === 0 ? diff : [{ kind: 'gap', text: '' }, ...diff]));
  const { added, removed } = fileDiff(path, lines);
  return { path, edits, added, removed, lines: lines.slice(0, linesMax), isCut: lines.length > linesMax };
}

function diffOf({ before, after }: Place): DiffLine[] {
  return lineDiff(before.join('\n'), after.join('\n'));
}

function changedIn({ connection }: Pick<Store, 'connection'>, sessionId: string, path: string): Changed {
  const file: Changed = { places: [], edits: 0 };
  const root = rootOf(connection, sessionId);
  for (const session of [sessionId, ...helpersOf(connection, sessionId)])
    for (const payloadJson of payloadsOf(connection, session))
      for (const { hunks } of changesOf(payloadJson, path, root)) {
        file.edits += 1;
        for (const hunk of hunks) addPlace(file.places, placeOf(hunk));
      }
  return file;
}

function* payloadsOf(connection: Store['connection'], sessionId: string): Generator<string> {
  for (let after: StepCursor | null = null; ; ) {
    const rows = stepsAfter(connection, sessionId, after, pageRows);
    for (const { payloadJson } of rows) yield payloadJson;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = { ts: last.ts, seq: last.seq };
  }
}

function changesOf(payloadJson: string, only: string, root: string | null): FileChange[] {
  const name = only.split('/').at(-1) ?? '';
  // Most calls of a session do not name the file.
  if (!payloadJson.includes(JSON.stringify(name).slice(1, -1))) return [];
  const call = readStored(payloadJson);
  if (call === null || call.result.failed || call.result.cancelled) return [];
  if (familyOf(call) !== 'edit') return [];
  const { cwd } = fromRoot(call, root);
  return wholeChangesIn(call).filter(({ path, to }) => plainPath(to ?? path, cwd) === only);
}
