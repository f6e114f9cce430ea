import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '#core/event';
import { Home } from './home.ts';

/** Git as a person with no settings runs it. */
export function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Several homes with a clone of one project each, and a bare repository for their memory. */
export class Devices {
  readonly all: Home[] = [];
  readonly remote: string;
  readonly #origin: string;
  readonly #config: JsonObject;

  constructor(config: JsonObject = {}) {
    this.#config = { 'drain.tickMs': 600_000, 'drain.backend': 'builtin', ...config };
    const first = Home.open({ config: this.#config });
    this.#origin = path.join(first.folder, 'origin');
    this.remote = path.join(first.folder, 'memory.git');
    fs.mkdirSync(this.#origin);
    git(this.#origin, 'init', '-q');
    git(this.#origin, 'commit', '-q', '--allow-empty', '-m', 'first', '--date', '2026-01-01T00:00:00Z');
    git(first.folder, 'init', '-q', '--bare', this.remote);
    this.#join(first, 'me@example.com');
  }

  get first(): Home {
    return this.all[0] ?? this.add();
  }

  /** A further device; its author by git's `user.email`. */
  add(author = 'me@example.com', config: JsonObject = {}): Home {
    const home = Home.open({ config: { ...this.#config, ...config } });
    this.#join(home, author);
    return home;
  }

  /** `memd sync` with these arguments, which must succeed. */
  async sync(home: Home, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await home.memd(['sync', ...args]);
    if (code !== 0) throw new Error(`memd sync ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`);
    return stdout + stderr;
  }

  /** The one branch of the remote. */
  branch(): string {
    return git(this.remote, 'for-each-ref', '--format=%(refname)').trim();
  }

  /** All that the tip of the remote holds, as text. */
  tip(): string {
    const files = git(this.remote, 'ls-tree', '-r', '--name-only', this.branch()).trim().split('\n');
    return files.map((file) => git(this.remote, 'show', `${this.branch()}:${file}`)).join('\n');
  }

  #join(home: Home, author: string): void {
    git(home.folder, 'clone', '-q', this.#origin, home.project);
    git(home.project, 'config', 'user.email', author);
    this.all.push(home);
  }
}

/** What a memory holds, as all its devices must agree on it. */
export function memories(home: Home): string[] {
  const sql = `SELECT e.id, e.session_id, e.payload_json, coalesce(s.text, '') AS text, coalesce(s.pinned, 0) AS pinned
    FROM events e LEFT JOIN summaries s ON s.event_id = e.id ORDER BY e.id`;
  return home.rows(sql).map((row) => JSON.stringify(row));
}
