import type { RecalledCall, RecallReads, SessionCall } from '#memory/store';
import { familyOf, readStored } from '#reading/call';
import { changesIn } from '#reading/edits';
import { onlyLooks } from '#reading/shell';
import { subjectsOf } from '#reading/subjects';
import { likeness, shared } from './alike.ts';
import { type Run, runOf } from './asked.ts';

const recallCallsAfterMax = 40;
const recallFixWithinMs = 60 * 60_000;

/** An action between a failure and the run that passed. */
export interface Act {
  readonly id: number;
  readonly what: 'edit' | 'command';
  /** The file of an edit without folders, or the command as typed. */
  readonly name: string;
  /** Lines that an edit added and removed. */
  readonly lines: number;
}

export interface Fix {
  /** The run that passed. */
  readonly passed: Act;
  /** The command line differs from the one that failed. */
  readonly isOther: boolean;
  /** Actions after the last similar failure, oldest first. */
  readonly acts: readonly Act[];
}

/**
 * The fix of a failure in its session before a time: the first run of the same command that passed, and the actions
 * before it.
 */
export function fixOf(reads: RecallReads, failure: RecalledCall, failed: Run, before: string): Fix | null {
  const until = new Date(Date.parse(failure.ts) + recallFixWithinMs).toISOString();
  const end = until < before ? until : before;
  const calls = reads.after(failure.sessionId, failure.ts, end, recallCallsAfterMax);
  let acts: Act[] = [];
  for (const one of calls) {
    const call = readStored(one.payloadJson);
    if (call === null) continue;
    const run = runOf(call);
    const { failed: isBad, refused, cancelled } = call.result;
    if (refused || cancelled) continue;
    const family = familyOf(call);
    if (family === 'edit' && !isBad) acts.push(...editsOf(one, run));
    if (family !== 'command') continue;
    if (shared(failed.programs, run.programs) < 0.5) {
      if (!isBad && doesSomething(run)) acts.push(...actOf(one, 'command', run.command));
      continue;
    }
    const isBadToo =
      isBad || subjectsOf(call).some(({ kind, outcome }) => kind === 'check' && outcome === 'failed');
    // The actions so far did not help.
    const isAlike = likeness(run, failed) !== null;
    if (isAlike) acts = [];
    if (isAlike || (isBadToo && !hasBegun(failed, run))) continue;
    const passed = actOf(one, 'command', run.command)[0];
    if (passed === undefined) return null;
    return { passed, acts, isOther: spoken(run.command) !== spoken(failed.command) };
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

function actOf({ id }: SessionCall, what: Act['what'], name: string, lines = 0): Act[] {
  return id === null ? [] : [{ id, what, name, lines }];
}

function editsOf(one: SessionCall, { call }: Run): Act[] {
  return changesIn(call).flatMap(({ path, hunks }) => {
    const lines = hunks.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0);
    return actOf(one, 'edit', path.replace(/^.*[/\\]/, ''), lines);
  });
}

/** A command line without redirections of its output. */
function spoken(command: string): string {
  return command
    .replace(/\s*\d?>&\d|\s*\|\s*(?:tail|head|cat)\b[^|;&]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
