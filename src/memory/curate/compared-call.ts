import path from 'node:path';
import { cutMark, isObject, type Json, type Payload, type ToolFamily } from '#core/event';
import { type Curable, isShrunkPayload } from '#memory/store';
import { type Call, familyOf, parsePayload, readCall } from '#reading/call';
import { fixes, sureVerdicts } from '#reading/checks';
import { comparableOf } from '#reading/comparable';
import { changesIn } from '#reading/edits';
import { folderOf } from '#reading/shell';
import { type Subject, subjectsOf } from '#reading/subjects';
import { digest, digestsOf, isTelling, meaningful } from './lines.ts';
import { type PlanStep, planOf } from './plan.ts';
import { type Words, wordsOf } from './words.ts';

/** What the rules compare: one summary and its call, as plain data. */
export interface ComparedCall {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly sessionId: string;
  /** Missing: the user. */
  readonly author?: string | undefined;
  /** The folder in which the call worked. */
  readonly folder: string | null;
  readonly family: ToolFamily;
  readonly failed: boolean;
  /** The user refused the call. Their words are a decision. */
  readonly refused: boolean;
  readonly subjects: readonly Subject[];
  /** The certain verdicts of its checks, by name. */
  readonly checks: ReadonlyMap<string, 'passed' | 'failed'>;
  /** The words of the summary. */
  readonly words: Words;
  /** Digest of the tool and the arguments that change what it does. Equal: the same request. */
  readonly asked: number;
  /** Digests of the output lines, without times. */
  readonly output: readonly number[];
  readonly changes: readonly Change[];
  readonly plan: readonly PlanStep[];
  /** See `comparableIn`. */
  readonly comparable: string | null;
}

/** What of a call or message the project can be compared with later, as JSON; null where that cannot be read any more. */
export function comparableIn({ payloadJson }: Curable, payload = payloadIn(payloadJson)): string | null {
  return payload === null || isShrunkPayload(payloadJson) ? null : JSON.stringify(comparableOf(payload));
}

function payloadIn(payloadJson: string): Payload | null {
  const parsed = parsePayload(payloadJson);
  return 'payload' in parsed ? parsed.payload : null;
}

/** A change of one file, as digests of its meaningful lines. */
export interface Change {
  /** Absolute when the folder of the call is known. */
  readonly path: string;
  /** All lines of a file that the call wrote as a whole, else null. */
  readonly whole: readonly number[] | null;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Unchanged lines around the change: they locate it in the file. */
  readonly around: readonly number[];
  /** The line of `around` directly above the first change. */
  readonly above: number | null;
  /** The lines are too long or too many to match by chance. */
  readonly isTelling: boolean;
  /** The first line of `added`, for evidence. */
  readonly sample: string;
  /** The stored text is cut, so a missing line may still be in the file. */
  readonly isCut: boolean;
}

export function comparedCall(row: Curable): ComparedCall {
  const payload = payloadIn(row.payloadJson);
  const facts = factsIn(payload === null ? callOnly(row) : readCall(payload), row);
  return { ...facts, comparable: comparableIn(row, payload) };
}

/** The facts of a summary whose call cannot be read: only its words. */
export function comparedWordsOnly(row: Curable): ComparedCall {
  return factsIn(callOnly(row), row);
}

function factsIn(call: Call, row: Curable): ComparedCall {
  const family = familyOf(call);
  const subjects = subjectsOf(call);
  return {
    id: row.id,
    ts: row.ts,
    sessionId: row.sessionId,
    author: row.author,
    folder: folderOf(call),
    family,
    failed: call.result.failed,
    refused: call.result.refused,
    subjects,
    checks: family === 'command' ? lastingVerdicts(call) : new Map(),
    words: wordsOf(row.text),
    asked: digest(JSON.stringify([call.tool, sorted(call.input, 0)])),
    output: digestsOf(call.result.text),
    changes: family === 'edit' ? changes(call) : [],
    plan: family === 'plan' ? planOf(call) : [],
    comparable: null,
  };
}

/** A check that changes the files replaces no earlier result. */
function lastingVerdicts(call: Call): ReadonlyMap<string, 'passed' | 'failed'> {
  return new Map([...sureVerdicts(call)].filter(([name]) => !fixes.test(name)));
}

/** A call without arguments or output. */
function callOnly({ tool, sessionId, ts }: Curable): Call {
  const absent = { input: null, output: null, toolUseId: null, cwd: null };
  return readCall({ ...absent, tool, sessionId, ts, client: 'unknown', isError: false });
}

function changes(call: Call): Change[] {
  return changesIn(call).map(({ path: file, kind, hunks }) => {
    const added = meaningful(hunks.flatMap((hunk) => hunk.added));
    const removed = meaningful(hunks.flatMap((hunk) => hunk.removed));
    const above = meaningful(hunks[0]?.leading ?? []).at(-1);
    const content = kind === 'created' || kind === 'overwrote' ? contentOf(call, added) : null;
    return {
      path: call.cwd === null ? file : path.resolve(call.cwd, file),
      whole: content === null ? null : content.map(digest),
      added: added.map(digest),
      removed: removed.map(digest),
      around: meaningful(hunks.flatMap((hunk) => hunk.context)).map(digest),
      above: above === undefined ? null : digest(above),
      isTelling: isTelling(added.length > 0 ? added : removed),
      sample: (added[0] ?? removed[0] ?? '').trim(),
      isCut: [...added, ...removed, ...(content ?? [])].some((line) => line.includes(cutMark)),
    };
  });
}

/** The whole content that the call wrote. The client records only the changed lines of an existing file. */
function contentOf(call: Call, added: readonly string[]): readonly string[] {
  const content = ['content', 'file_text', 'contents']
    .map((name) => call.input[name])
    .find((text) => typeof text === 'string');
  return typeof content === 'string' ? meaningful(content.split('\n')) : added;
}

/** Arguments that do not change what a call does. */
const asides = new Set(
  'description justification explanation timeout timeout_ms run_in_background'.split(' '),
);

/** Arguments sorted by name, so that equal ones give equal text. */
function sorted(value: Json, depth: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item, depth + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => depth > 0 || !asides.has(name));
  return names.sort().map((name) => [name, sorted(value[name] ?? null, depth + 1)]);
}
