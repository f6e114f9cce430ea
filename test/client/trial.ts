import fs from 'node:fs';
import path from 'node:path';
import { isObject, type Json, type JsonObject } from '#core/event';
import { Home } from '../support/home.ts';
import type { Ran } from '../support/run.ts';
import { until } from '../support/until.ts';
import { type Assistant, answered } from './assistant.ts';
import { ModelApi } from './stubs/model-api.ts';
import { isolatedEnv } from './support/isolation.ts';
import { type Process, processesOf } from './support/processes.ts';
import { type Ended, runProgram } from './support/program.ts';

/** An event as the database has it. */
export interface Stored {
  readonly tool: string;
  readonly client: string;
  readonly session: string;
  readonly toolUseId: string | null;
  readonly isError: boolean;
  readonly payload: string;
}

type Files = ReadonlyMap<string, string>;

/**
 * An assistant in a HOME of its own, which holds what a person has configured, and a project with a pinned memory of
 * another assistant's work, a boundary, and no daemon yet.
 */
export class Trial {
  readonly home: Home;
  readonly model: ModelApi;
  readonly #assistant: Assistant;
  readonly #program: string;
  #former: Files = new Map();
  #installed: Files = new Map();

  private constructor(assistant: Assistant, program: string, home: Home, model: ModelApi) {
    this.#assistant = assistant;
    this.#program = program;
    this.home = home;
    this.model = model;
  }

  static async open(assistant: Assistant, program: string, more: JsonObject = {}): Promise<Trial> {
    const config = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000, ...more };
    const home = Home.open({ name: 'ho me', config });
    const { succeeds, fails, writes, denied, searches } = assistant.calls(home.project);
    const model = await ModelApi.start(
      assistant.dialect,
      [succeeds, fails, writes, denied, searches],
      answered,
    );
    const trial = new Trial(assistant, program, home, model);
    for (const [name, text] of Object.entries(assistant.configuration(model.url))) {
      const file = path.join(home.home, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    for (const folder of ['.memd', 'private']) fs.mkdirSync(path.join(home.project, folder));
    fs.writeFileSync(path.join(home.project, '.memd/scope.json'), '{"deny": ["private/**"]}');
    fs.mkdirSync(trial.#temporary);
    await home.start();
    await home.capture({
      tool: 'Bash',
      input: { command: 'make lighthouse' },
      output: 'the lighthouse is lit',
      toolUseId: 'call-before',
      sessionId: 'session-before',
      client: 'claude-code',
    });
    await trial.#memd('drain');
    await home.ask({ op: 'pin', id: 1 });
    await trial.#memd('stop');
    return trial;
  }

  get #temporary(): string {
    return path.join(this.home.folder, 'tmp');
  }

  /** The files below HOME, without memd's own. */
  files(): Files {
    return filesBelow(this.home.home, '');
  }

  async #memd(command: string): Promise<void> {
    const { code, stderr } = await this.home.memd([command]);
    if (code !== 0) throw new Error(stderr);
  }

  async install(...options: readonly string[]): Promise<Ran> {
    this.#former = this.files();
    const ran = await this.home.memd(['install', this.#assistant.name, ...options]);
    this.#installed = this.files();
    return ran;
  }

  async uninstall(): Promise<Ran> {
    return this.home.memd(['uninstall', this.#assistant.name]);
  }

  /** Each file that `install` has made or changed, with its bytes before it: null where there was none. */
  touched(): Record<string, string | null> {
    const changed = [...this.#installed].filter(([name, text]) => this.#former.get(name) !== text);
    return Object.fromEntries(changed.map(([name]) => [name, this.#former.get(name) ?? null]));
  }

  /** The same files as they are now. */
  now(): Record<string, string | null> {
    const files = this.files();
    return Object.fromEntries(Object.keys(this.touched()).map((name) => [name, files.get(name) ?? null]));
  }

  /** A session of the real assistant, as its test has it. */
  session(): Promise<Ended> {
    return runProgram(this.#program, this.#assistant.args, { cwd: this.home.project, env: this.env() });
  }

  get program(): string {
    return this.#program;
  }

  env(): Record<string, string> {
    const { home } = this;
    const own = { TMPDIR: this.#temporary, NO_COLOR: '1', USER: 'someone' };
    return { ...home.env(), ...own, ...isolatedEnv(), ...this.#assistant.env(this.model.url) };
  }

  /** The captured calls of this assistant, in order, as soon as there are `count` of them. */
  captured(count: number): Promise<readonly Stored[]> {
    return until(`${count} captured calls`, () => {
      const stored = this.stored();
      return stored.length >= count ? stored : null;
    });
  }

  stored(): readonly Stored[] {
    const sql = `SELECT tool, client, session_id, tool_use_id, is_error, payload_json FROM events
      WHERE session_id <> 'session-before' AND kind = 'call' ORDER BY ts, id`;
    return this.home.rows(sql).map((row) => ({
      tool: String(row.tool),
      client: String(row.client),
      session: String(row.session_id),
      toolUseId: row.tool_use_id === null ? null : String(row.tool_use_id),
      isError: Number(row.is_error) === 1,
      payload: String(row.payload_json),
    }));
  }

  /** What was said in the sessions: client, tool, text, and whether its turn is known. */
  said(): readonly object[] {
    const sql = `SELECT json_extract(payload_json, '$.client') AS client, tool,
        json_extract(payload_json, '$.output') AS text, turn_id IS NOT NULL AS hasTurn
      FROM events WHERE kind = 'message' ORDER BY tool, ts, id`;
    return this.home.rows(sql);
  }

  /** The API errors that ended turns, each once. */
  errors(): readonly string[] {
    const sql = `SELECT DISTINCT json_extract(payload_json, '$.output') AS text FROM events
      WHERE kind = 'message' AND is_error`;
    return this.home.rows(sql).map(({ text }) => String(text));
  }

  /** The hits of kind `message` for a query. */
  async found(query: string): Promise<readonly JsonObject[]> {
    await this.#memd('drain');
    const { hits } = await this.home.ask({ op: 'search', query });
    const all: readonly Json[] = Array.isArray(hits) ? hits : [];
    return all.filter(isObject).filter(({ kind }) => kind === 'message');
  }

  async backfill(): Promise<JsonObject> {
    const { code, stdout, stderr } = await this.home.memd(['backfill', '--json']);
    if (code !== 0) throw new Error(`memd backfill: exit ${code}\n${stdout}${stderr}`);
    const value: Json = JSON.parse(stdout);
    if (!isObject(value)) throw new Error(stdout);
    return value;
  }

  /** What the sessions have left running, without the daemon. */
  left(): Process[] {
    const daemons = this.home.daemons();
    return processesOf(this.home.folder).filter(({ pid }) => !daemons.includes(pid));
  }

  async close(): Promise<void> {
    await this.home.close();
    await this.model.close();
  }
}

function filesBelow(root: string, below: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of fs.readdirSync(path.join(root, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name);
    if (name === '.memd' || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) for (const [inner, text] of filesBelow(root, name)) found.set(inner, text);
    // What stands in a database changes under our hands; it is nothing that memd installs.
    if (entry.isFile() && !/\.db(-shm|-wal)?$/.test(name)) {
      found.set(name, fs.readFileSync(path.join(root, name), 'latin1'));
    }
  }
  return found;
}
