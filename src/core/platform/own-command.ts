import type { ExecFileOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { errorCode, inSentences } from './failure.ts';
import { withRepair } from './system-trouble.ts';

/**
 * Runs `memd VERB` in a process of its own: loading what starts a daemon (SQLite, for its lock) costs more than the rest of a hook or of a
 * server's start. Settles with null, or with why it failed, in its words.
 */
export async function runOwn(
  program: URL,
  verb: 'start' | 'restart',
  options: Pick<ExecFileOptions, 'cwd' | 'env' | 'timeout'>,
): Promise<string | null> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const words = [fileURLToPath(program), verb];
    const child = execFile(
      process.execPath,
      words,
      { ...options, killSignal: 'SIGKILL' },
      (error, _, stderr) => {
        process.off('exit', kill);
        if (error === null) return resolve(null);
        // A process that never started has a system error code; one that failed has a status.
        const isStarted = errorCode(error) === undefined;
        resolve(isStarted ? lastWords(`memd ${verb}`, stderr, error.signal ?? null) : withRepair(error));
      },
    );
    // A Node.js that hangs would stay for ever. The daemon is detached and goes on.
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
  });
}

/** The last error line of a failed memd command without its name, or the likely cause when it printed none. */
function lastWords(command: string, stderr: string, signal: string | null): string {
  const said = stderr.split('\n').findLast((line) => line.startsWith('memd: '));
  if (said !== undefined) return said.slice('memd: '.length);
  const cause =
    signal === null
      ? 'run `memd doctor`'
      : `Node.js could not run it (${signal}), mostly for want of threads: raise their limit (ulimit -u)`;
  return inSentences(`${command} ended without a word`, cause);
}
