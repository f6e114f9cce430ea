import type { SessionAccount } from '#memory/account';
import {
  failuresBetween,
  promptBefore,
  type Store,
  type StoredStep,
  stepAt,
  stepsAbout,
} from '#memory/store';
import { parsePayload, readStored } from '#reading/call';
import { changesToShow, type DiffLine } from '#reading/edits';
import { subjectKey, subjectsOf } from '#reading/subjects';
import { asksIn } from '#reading/talk';
import { onceByText, oneLine } from '#reading/text';
import { failsCheck, type Step, stepOf } from './step.ts';

const stepsMax = 400;
/** Of a path's folders, those from its end that are looked for. */
const tailPartsMax = 12;
const promptCharsMax = 240;
const symbolsMax = 4;
const replacedMax = 3;
/** Of the changes, those before which a failed check is looked for: the last. */
const repairsMax = 100;
/** Of the failures between two changes, those looked at for a check. */
const failuresMax = 8;
const lineCharsMax = 120;

export interface FileStep extends Step {
  readonly sessionId: string;
  /** The request of its turn, in a line. */
  readonly asked: string;
  /** Of a change: the functions and types in it. */
  readonly symbols?: readonly string[];
  /** Of a change: the first line with words that it added, or else took away. */
  readonly line?: string;
  /** Of a change: the `seq` of earlier ones whose lines it took away, the last first. */
  readonly replaces?: readonly number[];
  /** Of a failure: the call of its session that fixed it; null: none did. */
  readonly fixedBy?: { readonly seq: number; readonly ts: string } | null;
}

export interface FileHistory {
  readonly path: string;
  /** The calls that read or changed the file, and checks that failed between its changes, newest first. */
  readonly steps: readonly FileStep[];
  readonly isCut: boolean;
}

/** All that calls did to a file, by its path as steps show it. `fixesOf`: the fixes of a session. */
export function fileHistory(
  { connection }: Pick<Store, 'connection'>,
  path: string,
  fixesOf: (sessionId: string) => SessionAccount['fixes'],
): FileHistory {
  const { rows, name } = rowsOf(connection, path);
  const requestIn = onceByText(promptIn, stepsMax);
  const fixesIn = onceByText(fixesOf, stepsMax);
  const shown = rows.slice(0, stepsMax);
  const changes = changesIn(shown, name);
  const changed = shown.filter(({ seq }) => changes.has(seq));
  return {
    path: name,
    steps: newestFirst([...shown, ...checksBetween(connection, changed)]).map((row) => {
      const step = stepOf(row);
      const { sessionId } = row;
      const by = step.isFailure && fixesIn(sessionId).find(([failed]) => failed === row.seq)?.[1];
      const fix = by && stepAt(connection, by);
      return {
        ...{
          ...step,
          sessionId,
          asked: requestIn(promptBefore(connection, sessionId, row) ?? ''),
          ...changes.get(row.seq),
        },
        ...(step.isFailure && { fixedBy: fix ? { seq: fix.seq, ts: fix.ts } : null }),
      };
    }),
    isCut: rows.length > stepsMax,
  };
}

/** The last check that failed between two changes of a session: what the later one may repair. `changed`: newest first. */
function checksBetween(connection: Store['connection'], changed: readonly StoredStep[]): StoredStep[] {
  return changed.slice(0, repairsMax).flatMap((later, at) => {
    const earlier = changed.slice(at + 1).find(({ sessionId }) => sessionId === later.sessionId);
    if (earlier === undefined) return [];
    const failed = failuresBetween(connection, earlier, later, failuresMax);
    return failed.find((row) => failsCheck(stepOf(row).runs ?? [])) ?? [];
  });
}

/** What each change wrote, and which earlier ones it replaced. `rows`: newest first. */
function changesIn(rows: readonly StoredStep[], path: string) {
  const changes = new Map<number, Pick<FileStep, 'symbols' | 'line' | 'replaces'>>();
  const writers = new Map<string, number>();
  const file = path.split(/[\\/]/).at(-1) ?? path;
  for (const { seq, payloadJson } of rows.toReversed()) {
    const call = readStored(payloadJson);
    if (call === null || call.result.failed || call.result.cancelled || call.result.refused) continue;
    const lines = changesToShow(call)
      .filter((change) => change.path.split(/[\\/]/).at(-1) === file)
      .flatMap((change) => change.lines);
    if (lines.length === 0) continue;
    const removed = wordsOf(lines, 'removed');
    const replaces = [...new Set(removed.flatMap((line) => writers.get(line) ?? []))].sort((a, b) => b - a);
    for (const line of removed) writers.delete(line);
    const added = wordsOf(lines, 'added');
    for (const line of added) writers.set(line, seq);
    const [first] = added.length > 0 ? added : removed;
    const symbols = subjectsOf(call).flatMap(({ kind, name }) =>
      kind === 'symbol' && name.includes(`${file}#`) ? [name.slice(name.lastIndexOf('#') + 1)] : [],
    );
    changes.set(seq, {
      ...(symbols.length > 0 && { symbols: [...new Set(symbols)].slice(0, symbolsMax) }),
      ...(first !== undefined && { line: oneLine(first, lineCharsMax) }),
      ...(replaces.length > 0 && { replaces: replaces.slice(0, replacedMax) }),
    });
  }
  return changes;
}

/** The lines of one kind by which a change is known again: brackets are everywhere. */
function wordsOf(lines: readonly DiffLine[], kind: DiffLine['kind']): string[] {
  return lines.flatMap((line) =>
    line.kind === kind && /\w{2}.*\w{2}/.test(line.text) ? [line.text.trim()] : [],
  );
}

/** The calls with a file. A whole path of another machine or worktree ends with the path that the memory has. */
function rowsOf(connection: Store['connection'], path: string): { rows: StoredStep[]; name: string } {
  const named = (name: string): StoredStep[] =>
    stepsAbout(connection, [subjectKey({ kind: 'file', name })], stepsMax + 1);
  const rows = named(path);
  const parts = path.split(/[\\/]/).slice(-tailPartsMax);
  if (!/^(?:[/~]|[A-Za-z]:)/.test(path)) {
    const within = parts.slice(1).flatMap((_, at) => fromFolder(parts, at + 1, named));
    return { rows: newestFirst([...rows, ...within]), name: path };
  }
  // Calls of other sessions name the same file from the project's folder.
  for (let at = 1; at < parts.length - 1; at += 1) {
    const name = parts.slice(at).join('/');
    const found = named(name);
    if (found.length > 0) return { rows: newestFirst([...rows, ...found]), name };
  }
  return { rows, name: path };
}

function newestFirst(rows: readonly StoredStep[]): StoredStep[] {
  const each = new Map(rows.map((row) => [row.seq, row]));
  return [...each.values()].sort((a, b) => b.ts.localeCompare(a.ts) || b.seq - a.seq);
}

/** The calls that named the file from a folder of the project: by its last parts, from `at` on. */
function fromFolder(parts: readonly string[], at: number, named: (name: string) => StoredStep[]) {
  const folder = `/${parts.slice(0, at).join('/')}`;
  const inJson = JSON.stringify(folder).slice(1);
  return named(parts.slice(at).join('/')).filter(
    ({ payloadJson }) =>
      payloadJson.includes(inJson) && readStored(payloadJson)?.cwd?.endsWith(folder) === true,
  );
}

function promptIn(payloadJson: string): string {
  const parsed = parsePayload(payloadJson);
  const text = 'payload' in parsed ? parsed.payload.output : '';
  if (typeof text !== 'string') return '';
  const asks = asksIn(text);
  return asks.startsWith('Plan: ') ? asks : oneLine(text, promptCharsMax);
}
