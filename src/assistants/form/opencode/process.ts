import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isObject, type Json, own, parseJson, stringAt } from '../../../core/event/index.ts';
import { type OpencodeDatabase, openDatabase, type StoredSession } from './database.ts';

/**
 * The database as `openDatabase` reads it, in a process of its own (`opencode.cjs`): whatever a foreign file does to SQLite ends that
 * process, not the daemon. Sources that are run unbundled have no such program, and read it in place.
 * @throws Error when it cannot be read
 */
export async function openOpencode(file: string): Promise<OpencodeDatabase> {
  const program = fileURLToPath(new URL('./opencode.cjs', import.meta.url));
  if (!fs.existsSync(program)) return openDatabase(file);
  const reader = new Reader(program, file);
  try {
    const sessions: StoredSession[] = [];
    for await (const session of reader.answers()) sessions.push(session as unknown as StoredSession);
    return {
      sessions: () => sessions,
      records: (session) => reader.ask(session),
      close: () => reader.close(),
    };
  } catch (error) {
    reader.close();
    throw error;
  }
}

class Reader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #death = '';

  constructor(program: string, file: string) {
    this.#child = spawn(process.execPath, [program, file]);
    this.#child.on('error', (error) => {
      this.#death = error.message;
    });
    this.#child.on('exit', (code, signal) => {
      this.#death = signal ?? `exit ${code}`;
    });
    // That it has ended is seen by the answer that does not come.
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.resume();
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  ask(session: StoredSession): AsyncGenerator<Json> {
    this.#child.stdin.write(`${JSON.stringify(session)}\n`);
    return this.answers();
  }

  /** The values of one answer. @throws Error the reader's own, or that it has ended */
  async *answers(): AsyncGenerator<Json> {
    for (;;) {
      const { done, value } = await this.#lines.next();
      const answer = done === true ? undefined : parseJson(value);
      if (!isObject(answer)) throw new Error(`its reader has ended (${await this.#ended()})`);
      const error = stringAt(answer, 'error');
      if (error !== undefined) throw new Error(error);
      if (answer.end === true) return;
      yield own(answer, 'value') ?? null;
    }
  }

  async #ended(): Promise<string> {
    if (this.#death === '') await new Promise((resolve) => this.#child.once('close', resolve));
    return this.#death;
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}
