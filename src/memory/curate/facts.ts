import path from 'node:path';
import { type Call, familyOf, readCall, readStored } from '../../calls/call/index.ts';
import { sureVerdicts } from '../../calls/checks/index.ts';
import { changesIn } from '../../calls/edits/index.ts';
import { placeOf } from '../../calls/shell/index.ts';
import { type Subject, subjectsOf } from '../../calls/subjects/index.ts';
import { cutMark, isObject, type Json, type ToolFamily } from '../../core/event/index.ts';
import type { Curable } from '../store/index.ts';
import { digest, digestsOf, isTelling, meaningful } from './lines.ts';
import { type PlanStep, planOf } from './plan.ts';
import { type Words, wordsOf } from './words.ts';

/** What the rules compare of one summary and the call it tells of. Plain data: no rule reads anything else. */
export interface Facts {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly sessionId: string;
  /** The folder it worked in. */
  readonly place: string | null;
  readonly family: ToolFamily;
  readonly failed: boolean;
  /** The user refused the call: what they said of it is a decision of its own. */
  readonly refused: boolean;
  readonly subjects: readonly Subject[];
  /** Checks by name, as far as how they ended is sure. */
  readonly checks: ReadonlyMap<string, 'passed' | 'failed'>;
  /** The words of the summary. */
  readonly words: Words;
  /** Digest of tool and arguments, without what only tells a reader why. Equal: the same was asked for. */
  readonly asked: number;
  /** Digests of the lines that came back, without times. */
  readonly output: readonly number[];
  readonly changes: readonly Change[];
  readonly plan: readonly PlanStep[];
}

/** What a call did to one file, by digests of the lines that mean something. */
export interface Change {
  /** Absolute where the call told its folder. */
  readonly path: string;
  /** All lines of the file, when the call wrote it whole, else null. */
  readonly whole: readonly number[] | null;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Lines that stand around and stayed: they tell where in the file it was. */
  readonly around: readonly number[];
  /** Of those the one next above the first change. */
  readonly above: number | null;
  /** Long enough to stand nowhere else by chance: `"time"` stands in every second file. */
  readonly isTelling: boolean;
  /** The first line of `added`, for people. */
  readonly sample: string;
  /** Part of the text was cut before it was stored: what is not in it may still be in the file. */
  readonly isCut: boolean;
}

/** The facts of a summary. */
export function factsOf(row: Curable): Facts {
  return factsIn(readStored(row.payloadJson) ?? callOnly(row), row);
}

/** The facts of a summary whose call cannot be read: its words, and nothing that any rule goes by. */
export function bareFactsOf(row: Curable): Facts {
  return factsIn(callOnly(row), row);
}

function factsIn(call: Call, row: Curable): Facts {
  const family = familyOf(call);
  const subjects = subjectsOf(call);
  return {
    id: row.id,
    ts: row.ts,
    sessionId: row.sessionId,
    place: placeOf(call),
    family,
    failed: call.result.failed,
    refused: call.result.refused,
    subjects,
    checks: family === 'command' ? sureVerdicts(call) : new Map(),
    words: wordsOf(row.text),
    asked: digest(JSON.stringify([call.tool, sorted(call.input, 0)])),
    output: digestsOf(call.result.text),
    changes: family === 'edit' ? changes(call) : [],
    plan: family === 'plan' ? planOf(call) : [],
  };
}

/** A call of which only the tool is known: nothing but the words of its summary can be compared. */
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

/** What was written whole: of a file that was there before, the client's account has only the lines that differ. */
function contentOf(call: Call, added: readonly string[]): readonly string[] {
  const content = ['content', 'file_text', 'contents']
    .map((name) => call.input[name])
    .find((text) => typeof text === 'string');
  return typeof content === 'string' ? meaningful(content.split('\n')) : added;
}

/** Arguments that say why or how long, not what. */
const asides = new Set([
  'description',
  'justification',
  'explanation',
  'timeout',
  'timeout_ms',
  'run_in_background',
]);

/** Arguments in an order of their own, so that equal ones are told alike. */
function sorted(value: Json, depth: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item, depth + 1));
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => depth > 0 || !asides.has(name));
  return names.sort().map((name) => [name, sorted(value[name] ?? null, depth + 1)]);
}
