import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startTimeoutMs } from '../../core/limits.ts';
import { errorCode, Failure, lastWords, withRepair } from '../../core/platform/index.ts';
import type { Environment } from '../../core/workspace/index.ts';

/**
 * Runs `memd start`. A process of its own, since what starts a daemon (SQLite, for its lock) would cost every start of this server
 * more than all the rest of it.
 * @throws Failure with what that command says
 */
export function startMemory(program: URL, env: Environment, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [fileURLToPath(program), 'start'],
      // It waits `startTimeoutMs` for the daemon and says why in vain; the rest is for itself.
      { cwd, env: { ...env }, timeout: 2 * startTimeoutMs, killSignal: 'SIGKILL' },
      (error, _stdout, stderr) => {
        if (error === null) return resolve();
        // A process that was never started has a code of the system's, one that failed a status.
        const isStarted = errorCode(error) === undefined;
        const why = isStarted ? lastWords('memd start', stderr, error.signal ?? null) : withRepair(error);
        reject(new Failure('not_started', `The memory could not be started: ${why}`, { cause: error }));
      },
    );
  });
}
