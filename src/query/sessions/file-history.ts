import { parsePayload, readStored } from '../../calls/call/index.ts';
import { subjectKey } from '../../calls/subjects/index.ts';
import { oneLine } from '../../calls/text/index.ts';
import { promptBefore, type Store, type StoredStep, stepsAbout } from '../../memory/store/index.ts';
import { type Step, stepOf } from './step.ts';

const stepsMax = 400;
/** Of a path's folders, those from its end that are looked for. */
const tailPartsMax = 12;
const promptCharsMax = 240;

export interface FileHistory {
  readonly path: string;
  /** The calls that read or changed the file, newest first, each with its session and the request of its turn. */
  readonly steps: readonly (Step & { readonly sessionId: string; readonly asked: string })[];
  readonly isCut: boolean;
}

/** All that calls did to a file, by its path as steps show it. */
export function fileHistory({ connection }: Pick<Store, 'connection'>, path: string): FileHistory {
  const { rows, name } = rowsOf(connection, path);
  const askedAt = new Map<string, string>();
  const asked = (row: StoredStep): string => {
    const json = promptBefore(connection, row.sessionId, row) ?? '';
    const known = askedAt.get(json) ?? promptIn(json);
    askedAt.set(json, known);
    return known;
  };
  return {
    path: name,
    steps: rows
      .slice(0, stepsMax)
      .map((row) => ({ ...stepOf(row), sessionId: row.sessionId, asked: asked(row) })),
    isCut: rows.length > stepsMax,
  };
}

/** The calls with a file. A whole path of another machine or worktree ends with the path that the memory has. */
function rowsOf(connection: Store['connection'], path: string): { rows: StoredStep[]; name: string } {
  const named = (name: string): StoredStep[] =>
    stepsAbout(connection, [subjectKey({ kind: 'file', name })], stepsMax + 1);
  const rows = named(path);
  const parts = path.split(/[\\/]/).slice(-tailPartsMax);
  if (!/^(?:[/~]|[A-Za-z]:)/.test(path)) {
    const within = parts.slice(1).flatMap((_, at) => fromFolder(parts, at + 1, named));
    const all = [...rows, ...within].sort((a, b) => b.ts.localeCompare(a.ts) || b.seq - a.seq);
    return { rows: all, name: path };
  }
  if (rows.length > 0) return { rows, name: path };
  for (let at = 1; at < parts.length - 1; at += 1) {
    const name = parts.slice(at).join('/');
    const found = named(name);
    if (found.length > 0) return { rows: found, name };
  }
  return { rows, name: path };
}

/** The calls that named the file from a folder of the project: by its last parts, from `at` on. */
function fromFolder(
  parts: readonly string[],
  at: number,
  named: (name: string) => StoredStep[],
): StoredStep[] {
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
  return typeof text === 'string' ? oneLine(text, promptCharsMax) : '';
}
