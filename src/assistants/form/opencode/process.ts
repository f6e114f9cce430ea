import { spawn } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isObject, type Json, own, parseJson, stringAt } from '#core/event';
import { type OpencodeDatabase, openDatabase, type StoredSession } from './database.ts';

/**
 * The database as `openDatabase` reads it, in a process of its own (`opencode.cjs`): whatever a foreign file does to SQLite ends that
 * process, not the daemon. Sources that are run unbundled have no such program, and read it in place.
 * @throws Error when it cannot be read
 */
export async function openOpencode(file: string): Promise<OpencodeDatabase> {
  const program = fileURLToPath(new URL('./opencode.cjs', import.meta.url));
  if (!fs.existsSync(program)) return openDatabase(file);
  const reader = readerOf(program, file);
  try {
    const sessions: StoredSession[] = [];
    for await (const session of reader.answers()) sessions.push(session as unknown as StoredSession);
    return {
      sessions: () => sessions,
      records: reader.ask,
      close: reader.close,
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

function readerOf(program: string, file: string) {
  const child = spawn(process.execPath, [program, file]);
  let death = '';
  child.on('error', (error) => {
    death = error.message;
  });
  child.on('exit', (code, signal) => {
    death = signal ?? `exit ${code}`;
  });
  // That it has ended is seen by the answer that does not come.
  child.stdin.on('error', () => {});
  child.stderr.resume();
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = async (): Promise<string> => {
    if (death === '') await new Promise((resolve) => child.once('close', resolve));
    return death;
  };
  /** The values of one answer. @throws Error the reader's own, or that it has ended */
  async function* answers(): AsyncGenerator<Json> {
    for (;;) {
      const { done, value } = await lines.next();
      const answer = done === true ? undefined : parseJson(value);
      if (!isObject(answer)) throw new Error(`its reader has ended (${await ended()})`);
      const error = stringAt(answer, 'error');
      if (error !== undefined) throw new Error(error);
      if (answer.end === true) return;
      yield own(answer, 'value') ?? null;
    }
  }
  return {
    answers,
    ask: (session: StoredSession): AsyncGenerator<Json> => {
      child.stdin.write(`${JSON.stringify(session)}\n`);
      return answers();
    },
    close: (): void => void child.kill('SIGKILL'),
  };
}
