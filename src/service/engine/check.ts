import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { own, parseObject } from '#core/event';
import { Failure } from '#core/platform';

const databaseCheckTimeoutMs = 10 * 60_000;

/**
 * The damage of the database in SQLite's words, or null. Checked by a process of its own, which ends with `signal`.
 * @throws Failure `check_failed`
 */
export function findDamage(script: URL, file: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const options = { env: {}, timeout: databaseCheckTimeoutMs, killSignal: 'SIGKILL', signal } as const;
    execFile(process.execPath, [fileURLToPath(script), file], options, (error, stdout) => {
      const damage = own(parseObject(stdout) ?? {}, 'damage');
      if (typeof damage === 'string' || damage === null) resolve(damage);
      else reject(new Failure('check_failed', 'the database could not be checked', { cause: error }));
    });
  });
}
