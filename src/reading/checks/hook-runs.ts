import type { Result } from '#reading/call';
import { checkOf } from './check.ts';
import { complains, findingsIn } from './findings.ts';

/** Each option can match in one way only, so the time is linear. */
const commit = /\bgit(?:\s+(?:-[Cc]\s+\S+|(?!-[Cc]\s)--?\w[\w-]*(?:=\S+)?))*\s+commit\b/;

const nothing = /^nothing (?:added )?to commit|^no changes added to commit/m;
const hookFailed =
  /\b(?:pre-commit|commit-msg)\b.{0,40}\b(?:failed|exited with)\b|^husky - .{0,40}\b(?:failed|code [1-9])/m;
/** A wrapper or a pipe may end well although the commit was refused. */
const refused = new RegExp(`^FAILED: git commit|${hookFailed.source}|${nothing.source}`, 'm');

export function isCommit(command: string): boolean {
  return commit.test(command);
}

/** What git prints of a commit, whatever `git status` says behind it. */
const made = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /m;

/** Whether a command that commits did so, by its output, or else by its end. */
export function committed(
  command: string,
  { text, failed, running }: Pick<Result, 'text' | 'failed' | 'running'>,
): boolean {
  // What follows a commit may fail.
  return !running && isCommit(command) && (made.test(text) || (!failed && !refused.test(text)));
}

/** Whether a commit was refused, also where a wrapper or a pipe ended well. */
export function refusedCommit(command: string, result: Pick<Result, 'text' | 'failed' | 'running'>): boolean {
  if (result.running || !isCommit(command) || committed(command, result)) return false;
  return result.failed || refused.test(result.text);
}

/** Whether git had nothing to commit: its hook had passed by then. */
export function hadNothing({ text }: Pick<Result, 'text'>): boolean {
  return nothing.test(text) && !hookFailed.test(text);
}

/** The checks that the hook of a commit began, as package managers print them: `$ tsc --noEmit`. */
export function hookRuns(command: string, lines: readonly string[]): readonly string[] {
  if (!isCommit(command)) return [];
  const printed = lines.flatMap((line) => /^\$ ([\w@./-]+ .{1,200})$/.exec(line.trim())?.[1] ?? []);
  const checks = printed.filter((name) => !/[|&;]/.test(name) && checkOf(name).language !== null);
  return [...new Set(checks)].slice(0, hookRunsMax);
}

const hookRunsMax = 8;

/** What the hook of a failed commit printed last: it stops at the first script that fails. All lines of any other command, and where no script is named. */
export function lastHookScript(command: string, lines: readonly string[]): readonly string[] {
  if (!isCommit(command)) return lines;
  const last = lines.slice(lines.findLastIndex((line) => /^\$ \S/.test(line.trim())) + 1);
  return findingsIn(last).main.some(complains) ? last : lines;
}

/** Whether a commit leaves out its hook. */
export function skipsHook(command: string): boolean {
  return /\s(?:--no-verify|-n|-an|-nm)\b/.test(command);
}
