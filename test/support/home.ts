import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { type JsonObject, stringAt } from '#core/event';
import { findWorkspace, type Workspace } from '#core/workspace';
import type { Info } from '#service/info';
import { daemonsBelow, end } from './processes.ts';
import { type Ran, type RunOptions, run } from './run.ts';
import { until } from './until.ts';
import { ask } from './wire.ts';

/** Preloaded into what a test starts with MEMD_FAULTS. */
const faults = fileURLToPath(new URL('./faults.cjs', import.meta.url));

/** The built program; another build can be tested by naming its folder. */
export const dist = process.env.MEMD_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));

/** A port outside the ranges that systems hand out, where nobody listens: no test may find a real model. */
export const nobodyPort = 31_434;

type Row = Readonly<Record<string, string | number | bigint | null | Uint8Array>>;
type Extra = Partial<RunOptions>;

interface HomeOptions {
  readonly env?: Record<string, string>;
  readonly name?: string;
  readonly config?: JsonObject | null;
}

interface LogEntry {
  /** pino's: 30 info, 40 warn, 50 error, 60 fatal. */
  readonly level: number;
  readonly msg: string;
  readonly error: string;
  readonly reason: string;
}

const closeTriesMax = 3;
const opened = new Set<Home>();
const folders: string[] = [];

/** A temporary HOME with one project in it, and the program at work there. */
export class Home {
  /** The folder that holds all of it; its real path. */
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(folder: string, home: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.home = home;
    this.project = path.join(folder, 'project');
    this.#env = env;
    fs.mkdirSync(home, { recursive: true });
    fs.mkdirSync(this.project);
  }

  /**
   * `env` holds for every command; `name` is that of the home folder below the temporary one; `config` is what
   * `config.json` holds in addition to a generous capture budget, null for no such file.
   */
  static open({ env = {}, name = 'home', config = {} }: HomeOptions = {}): Home {
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-e2e-')));
    const home = new Home(folder, path.join(folder, name), env);
    opened.add(home);
    folders.push(folder);
    if (config !== null) home.configure(config);
    return home;
  }

  /** A home with `count` raw events, `call-0`, `call-1`, ..., and no daemon. */
  static async withRaw(count: number, options: HomeOptions = {}): Promise<Home> {
    const home = Home.open(options);
    await home.start();
    for (let at = 0; at < count; at += 1) {
      const input = { file_path: `src/part-${at}.ts` };
      await home.capture({ tool: 'Read', input, output: `the text of part ${at}`, toolUseId: `call-${at}` });
    }
    await home.memd(['stop']);
    return home;
  }

  /** Ends every daemon of this home by its pid and removes the folder. */
  async close(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      for (const pid of daemonsBelow(this.folder)) await end(pid);
      try {
        fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
        return;
      } catch (error) {
        // The rest of a hook, in a process of its own, writes a spool, and may have started a daemon meanwhile.
        if (tries === closeTriesMax) throw error;
      }
    }
  }

  env(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { PATH = '' } = process.env;
    const LOCALLLM_HOST = `127.0.0.1:${nobodyPort}`;
    const env: Record<string, string> = { PATH, HOME: this.home, LOCALLLM_HOST, ...this.#env, ...extra };
    // Child processes and threads inherit it.
    if (env.MEMD_FAULTS !== undefined) env.NODE_OPTIONS = `--require "${faults}"`;
    return env;
  }

  workspace(cwd = this.project, env: Readonly<Record<string, string>> = {}): Workspace {
    return findWorkspace(this.env(env), cwd);
  }

  memd(args: readonly string[], extra: Extra = {}): Promise<Ran> {
    return this.#node('memd.cjs', args, extra);
  }

  mem(args: readonly string[], extra: Extra = {}): Promise<Ran> {
    return this.#node('mem.cjs', args, extra);
  }

  /** Runs the capture hook with a payload, or with any bytes, on its stdin. */
  hook(
    payload: JsonObject | string | Buffer,
    extra: Extra & { args?: readonly string[] } = {},
  ): Promise<Ran> {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    const input = isText ? payload : JSON.stringify(payload);
    return this.#node('capture-observation.mjs', extra.args ?? [], { input, ...extra });
  }

  /** `memd start`, which must succeed. Answers the daemon's pid. */
  async start(extra: Extra = {}): Promise<number> {
    const { code, stdout, stderr } = await this.memd(['start'], extra);
    if (code !== 0) throw new Error(`memd start: exit ${code}\n${stdout}${stderr}`);
    return this.pid(this.workspace(extra.cwd, extra.env));
  }

  pid(workspace = this.workspace()): number {
    return Number(fs.readFileSync(workspace.pid, 'utf8'));
  }

  /** The daemons of this home, by a look at all processes. */
  daemons(): number[] {
    return daemonsBelow(this.folder);
  }

  /** Settles when one daemon is left and is the one of `run.pid`: one that lost the race for the lock may still be leaving. */
  async oneDaemon(): Promise<void> {
    await until('one daemon', () => {
      const [pid, ...others] = this.daemons();
      return others.length === 0 && pid === this.pid();
    });
  }

  /** `info --json`, from the daemon or without it. */
  async info(extra: Extra = {}): Promise<Info> {
    const { stdout } = await this.memd(['info', '--json'], extra);
    const info: Info = JSON.parse(stdout);
    return info;
  }

  /** Captures one call over the socket. Answers the event's id. */
  async capture(call: JsonObject): Promise<string> {
    const reply = await this.ask({ op: 'capture', ...call });
    if (typeof reply.id !== 'string') throw new Error(`not captured: ${JSON.stringify(reply)}`);
    return reply.id;
  }

  /** One request over the socket. */
  ask(request: JsonObject): Promise<JsonObject> {
    return ask(this.workspace().socket, request);
  }

  /** Writes `config.json`: `config` and, so that a busy machine fails no capture, a generous budget. */
  configure(config: JsonObject): void {
    this.writeConfig(JSON.stringify({ captureObservationBudgetMs: 30_000, ...config }));
  }

  writeConfig(text: string): void {
    const { base, config } = this.workspace();
    for (const folder of [base, path.dirname(config)]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(config, text, { mode: 0o600 });
  }

  /** Rows as another process sees them. */
  rows(sql: string, ...values: (string | number)[]): Row[] {
    const database = new DatabaseSync(this.workspace().database, { readOnly: true, timeout: 5_000 });
    try {
      return database.prepare(sql).all(...values) as Row[];
    } finally {
      database.close();
    }
  }

  /** What an operator does with SQL, with or without a daemon. */
  operate(sql: string): void {
    const database = new DatabaseSync(this.workspace().database, { timeout: 5_000 });
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  /** The daemon's log; a field that an entry has not is an empty text. */
  daemonLog(): LogEntry[] {
    const lines = fs.readFileSync(this.workspace().daemonLog, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => {
      const entry: JsonObject = JSON.parse(line);
      const text = (key: string): string => stringAt(entry, key) ?? '';
      return { level: Number(entry.level), msg: text('msg'), error: text('error'), reason: text('reason') };
    });
  }

  #node(script: string, args: readonly string[], { cwd, env, ...rest }: Extra): Promise<Ran> {
    const options = { cwd: cwd ?? this.project, env: this.env(env), ...rest };
    return run(process.execPath, [path.join(dist, script), ...args], options);
  }
}

/** For `afterEach`: whatever a test has opened is ended and removed. */
export async function closeHomes(): Promise<void> {
  for (const home of opened) {
    await home.close();
    opened.delete(home);
  }
}

/** For `afterAll`: the daemons that still live in any home of this test file. There must be none. */
export function leftBehind(): number[] {
  return folders.flatMap(daemonsBelow);
}
