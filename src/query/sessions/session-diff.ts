import { fromRoot, patchText, readStored } from '../../calls/call/index.ts';
import { type DiffLine, type FileDiff, fileDiff, lineDiff, shownChanges } from '../../calls/edits/index.ts';
import { plainPath } from '../../calls/text/index.ts';
import { type StepCursor, type Store, stepsAfter } from '../../memory/store/index.ts';
import { rootOf } from './root.ts';

const pageRows = 100;
const linesMax = 4_000;

/** A place of the file before the session and after it. */
interface Place {
  before: readonly string[];
  after: readonly string[];
}

/** What a session changed in a file altogether: a line that one edit adds and a later one removes is not in it. */
export function sessionDiff({ connection }: Pick<Store, 'connection'>, sessionId: string, path: string) {
  const places: Place[] = [];
  const root = rootOf(connection, sessionId);
  let edits = 0;
  for (let after: StepCursor | null = null; ; ) {
    const rows = stepsAfter(connection, sessionId, after, pageRows);
    for (const { payloadJson } of rows) {
      for (const change of changesOf(payloadJson, path, root)) {
        edits += 1;
        for (const place of placesIn(change.lines)) addPlace(places, place);
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) break;
    after = { ts: last.ts, seq: last.seq };
  }
  const lines = places
    .map(({ before, after }) => lineDiff(before.join('\n'), after.join('\n')))
    .filter((diff) => diff.some(({ kind }) => kind === 'added' || kind === 'removed'))
    .flatMap((diff, at): DiffLine[] => (at === 0 ? diff : [{ kind: 'gap', text: '' }, ...diff]));
  const { added, removed } = fileDiff(path, lines);
  return { path, edits, added, removed, lines: lines.slice(0, linesMax), isCut: lines.length > linesMax };
}

function changesOf(payloadJson: string, path: string, root: string | null): FileDiff[] {
  const name = path.split('/').at(-1) ?? path;
  // Most calls of a session do not name the file.
  if (!payloadJson.includes(JSON.stringify(name).slice(1, -1))) return [];
  const call = readStored(payloadJson);
  if (call === null || call.result.failed || call.result.cancelled) return [];
  const patch = patchText(call);
  const changes = shownChanges(patch === '' ? call.input : { ...call.input, patch }, call.output);
  return changes.filter((change) => plainPath(change.path, fromRoot(call, root).cwd) === path);
}

/** The places of one edit; a gap separates them. */
function placesIn(lines: readonly DiffLine[]): Place[] {
  const places: { before: string[]; after: string[] }[] = [];
  let isNew = true;
  for (const { kind, text } of lines) {
    if (kind === 'gap') {
      isNew = true;
      continue;
    }
    if (isNew) places.push({ before: [], after: [] });
    isNew = false;
    const place = places.at(-1);
    if (kind !== 'added') place?.before.push(text);
    if (kind !== 'removed') place?.after.push(text);
  }
  return places;
}

/** A change of what an earlier one wrote continues that one; else it is a place of its own. */
function addPlace(places: Place[], { before, after }: Place): void {
  if (before.length > 0) {
    for (const place of places) {
      const at = indexOf(place.after, before);
      if (at >= 0) {
        place.after = [...place.after.slice(0, at), ...after, ...place.after.slice(at + before.length)];
        return;
      }
      const inside = place.after.length === 0 ? -1 : indexOf(before, place.after);
      if (inside >= 0) {
        const rest = before.slice(inside + place.after.length);
        place.before = [...before.slice(0, inside), ...place.before, ...rest];
        place.after = after;
        return;
      }
    }
  }
  places.push({ before, after });
}

function indexOf(lines: readonly string[], part: readonly string[]): number {
  for (let at = 0; at + part.length <= lines.length; at += 1) {
    if (part.every((line, offset) => line === lines[at + offset])) return at;
  }
  return -1;
}
