import type { ChildProcess } from 'node:child_process';
import { Failure, messageOf, systemRepair } from '#core/platform';

// How long Node.js may take until it runs the daemon's code: usually 0.1 s, seconds on an overloaded machine. Below
// `sessionStartBudgetMs`, so that a hanging process is ended before that hook gives up.
const beginTimeoutMs = 12_000;

/** A daemon's process until its first message. */
export type Beginning = Readonly<ReturnType<typeof watchBeginning>>;

/**
 * Watches a daemon's process until its first message. It is ended if that does not come within `timeoutMs`: if the system refuses it
 * threads, Node.js hangs for ever before it runs a program.
 */
export function watchBeginning(child: ChildProcess, timeoutMs = beginTimeoutMs) {
  let hasBegun = false;
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  child.once('message', () => {
    hasBegun = true;
    clearTimeout(timer);
  });
  child.once('close', () => clearTimeout(timer));
  child.once('error', () => clearTimeout(timer));
  return {
    get hasBegun() {
      return hasBegun;
    },
    /** Why it ended before its final message. */
    ended: (code: number | null, signal: NodeJS.Signals | null, log: string): Failure => {
      const how = signal ?? `exit ${code}`;
      if (isHung) return failure('Node.js hung before it ran the daemon, and was ended', shortOfThreads);
      if (!hasBegun) {
        const repair = signal === null ? nodeSays : shortOfThreads;
        return failure(`Node.js ended before it ran the daemon (${how})`, repair);
      }
      // Node.js aborts when a thread that it needs is refused, and writes to no log.
      const repair = signal === 'SIGABRT' ? shortOfThreads : `its log says why: ${log}`;
      return failure(`the daemon ended at its start (${how})`, repair);
    },
  };
}

export function notStarted(error: unknown): Failure {
  const repair = systemRepair(error) ?? 'run `memd start`, when the system has room for it';
  return failure(`the daemon's process could not be started: ${messageOf(error)}`, repair, error);
}

const nodeSays = '`memd start --foreground` shows what Node.js says';
const shortOfThreads = `raise the limit of processes and threads (ulimit -u), which is the usual cause: ${nodeSays}`;

function failure(what: string, repair: string, cause?: unknown): Failure {
  return new Failure('start_failed', what, { safe: 'nothing is lost', repair, cause });
}
