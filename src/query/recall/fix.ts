import { familyOf, readStored } from '../../calls/call/index.ts';
import { onlyLooks } from '../../calls/shell/index.ts';
import { subjectsOf } from '../../calls/subjects/index.ts';
import type { RecalledCall, RecallReads } from '../../memory/store/index.ts';
import { isAlike } from './alike.ts';
import { type Run, runOf } from './asked.ts';
import { shared } from './programs.ts';

const recallCallsAfterMax = 40;
const recallFixWithinMs = 60 * 60_000;

/** A command between a failure and the run that passed, or that run. */
export interface Act {
  readonly id: number;
  /** As typed. */
  readonly command: string;
}

export interface Fix {
  /** The run that passed. */
  readonly passed: Act;
  /** The command line differs from the one that failed. */
  readonly isOther: boolean;
  /** Commands after the last similar failure, oldest first. */
  readonly acts: readonly Act[];
}

/**
 * The fix of a failure in its session before a time: the first run of the same command that passed, and the commands
 * before it. Null if files were edited too: one line cannot tell such a fix (docs/research/recall.md).
 */
export function fixOf(reads: RecallReads, failure: RecalledCall, failed: Run, before: string): Fix | null {
  const until = new Date(Date.parse(failure.ts) + recallFixWithinMs).toISOString();
  const calls = reads.after(
    failure.sessionId,
    failure.ts,
    until < before ? until : before,
    recallCallsAfterMax,
  );
  let acts: Act[] = [];
  let isEdited = false;
  for (const one of calls) {
    const call = readStored(one.payloadJson);
    if (call === null) continue;
    const run = runOf(call);
    const { failed: isBad, refused, cancelled } = call.result;
    if (refused || cancelled) continue;
    const family = familyOf(call);
    if (family === 'edit' && !isBad) isEdited = true;
    if (family !== 'command' || one.id === null) continue;
    const act = { id: one.id, command: run.command };
    if (shared(failed.programs, run.programs) < 0.5) {
      if (!isBad && doesSomething(run)) acts.push(act);
      continue;
    }
    const isBadToo =
      isBad || subjectsOf(call).some(({ kind, outcome }) => kind === 'check' && outcome === 'failed');
    const isAgain = isAlike(run, failed);
    if (isAgain) {
      // The actions so far did not help.
      acts = [];
      isEdited = false;
    }
    if (isAgain || (isBadToo && !hasBegun(failed, run))) continue;
    if (isEdited) return null;
    return { passed: act, acts, isOther: spoken(run.command) !== spoken(failed.command) };
  }
  return null;
}

/** Neither a search nor a check, except a check that changes files. */
function doesSomething({ call, programs, command }: Run): boolean {
  if (programs.length === 0 || onlyLooks(programs)) return false;
  const isCheck = subjectsOf(call).every(({ kind }) => kind !== 'command');
  return !isCheck || fixes.test(command);
}

const fixes = /\b(?:fix|write|fmt|format|update|generate|gen|clean|install|tidy)\b|(?:^|\s)-[uw]\b/;

/** A command that could not begin does now, with any result. */
function hasBegun(failed: Run, run: Run): boolean {
  return (
    failed.complaints[0]?.trouble === 'setup' &&
    run.complaints[0]?.trouble !== 'setup' &&
    run.call.result.text !== ''
  );
}

/** A command line without redirections of its output. */
function spoken(command: string): string {
  return command
    .replace(/\s*\d?>&\d|\s*\|\s*(?:tail|head|cat)\b[^|;&]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
