import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startTimeoutMs } from '../../core/limits.ts';
import { errorCode, Failure, lastWords, withRepair } from '../../core/platform/index.ts';
import type { Environment } from '../../core/workspace/index.ts';

/**
 * Runs `memd start` in a process of its own: loading what starts a daemon (SQLite, for its lock) would double this server's start time.
 * @throws Failure with the words of that command
 */
export function startMemory(program: URL, env: Environment, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [fileURLToPath(program), 'start'],
      // The command waits `startTimeoutMs` for the daemon; the rest is for itself.
      { cwd, env: { ...env }, timeout: 2 * startTimeoutMs, killSignal: 'SIGKILL' },
      (error, _stdout, stderr) => {
        if (error === null) return resolve();
        // A process that never started has a system error code; one that failed has a status.
        const isStarted = errorCode(error) === undefined;
        const why = isStarted ? lastWords('memd start', stderr, error.signal ?? null) : withRepair(error);
        reject(new Failure('not_started', `The memory could not be started: ${why}`, { cause: error }));
      },
    );
  });
}
