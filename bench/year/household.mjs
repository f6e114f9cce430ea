// A home with one project and its daemon: driven through hooks, commands and the socket, and looked at from outside.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openLine } from '../place.mjs';
import { processorMs } from '../scale/daemon.mjs';
import { childrenOf, commandLines, descriptorsOf, sum, threadsAndMemory, wakesOf } from './procfs.mjs';
import { slope } from './slope.mjs';

const clients = 8;

export class Household {
  #dist;
  #folder;
  #env;
  #config;
  childrenSeen = 0;
  looks = 0;
  #children;

  constructor({ dist, folder, model }) {
    this.#dist = dist;
    this.#folder = fs.realpathSync(folder);
    this.project = path.join(this.#folder, 'project');
    fs.mkdirSync(path.join(this.project, '.git'), { recursive: true });
    this.#env = { PATH: process.env.PATH, HOME: path.join(this.#folder, 'home') };
    this.#config = {
      'drain.fallback': 'builtin',
      'drain.tickMs': 1_000,
      'localllm.endpoint': model,
      // The year is lived through first, and retention looked at then.
      'retention.payloadDays': 100_000,
      captureObservationBudgetMs: 10_000,
    };
  }

  get #settings() {
    return path.join(this.#env.HOME, '.memd', 'default');
  }

  get #workspace() {
    const workspaces = path.join(this.#settings, 'workspaces');
    return path.join(workspaces, fs.readdirSync(workspaces)[0]);
  }

  get database() {
    return path.join(this.#workspace, 'db.sqlite');
  }

  get #socket() {
    return path.join(this.#workspace, 'memd.sock');
  }

  get #pid() {
    return Number(fs.readFileSync(path.join(this.#workspace, 'run.pid'), 'utf8'));
  }

  #memd(...args) {
    const options = { cwd: this.project, env: this.#env, encoding: 'utf8' };
    return execFileSync(process.execPath, [path.join(this.#dist, 'memd.cjs'), ...args], options);
  }

  start() {
    fs.mkdirSync(this.#settings, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(this.#settings, 'config.json'), JSON.stringify(this.#config), { mode: 0o600 });
    this.#memd('start');
    // A child may live for a moment only.
    clearInterval(this.#children);
    this.#children = setInterval(() => this.#countChildren(), 250);
  }

  /** With further settings, which hold from then on. */
  restart(config = {}) {
    this.#config = { ...this.#config, ...config };
    this.#memd('stop');
    this.start();
  }

  async killAndStart() {
    const pid = this.#pid;
    process.kill(pid, 'SIGKILL');
    while (fs.existsSync(`/proc/${pid}`)) await pause(20);
    this.start();
  }

  /** A fresh session's hook. */
  sessionStart() {
    const script = path.join(this.#dist, 'session-start.cjs');
    const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'late', source: 'startup' });
    spawnSync(process.execPath, [script], { cwd: this.project, env: this.#env, input });
  }

  daemons() {
    return commandLines().filter((command) => command.includes(`--root\0${this.project}`)).length;
  }

  /** Whether the daemon has gone by itself within `ms`. */
  async left(ms) {
    const pid = this.#pid;
    for (const began = performance.now(); performance.now() - began < ms; await pause(200)) {
      if (!fs.existsSync(`/proc/${pid}`)) return true;
    }
    return false;
  }

  /** Round trips in ms. */
  async captureAll(calls) {
    const times = [];
    let next = 0;
    const work = async () => {
      const line = openLine(this.#socket);
      while (next < calls.length) {
        const call = calls[next++];
        const began = performance.now();
        const reply = await line.ask(call);
        times.push(performance.now() - began);
        if (!reply.ok) throw new Error(JSON.stringify(reply));
      }
      line.close();
    };
    await Promise.all(Array.from({ length: clients }, work));
    return times;
  }

  /** Until everything is summarised, embedded, and looked at by the curator. */
  async drained() {
    const database = new DatabaseSync(this.database, { readOnly: true, timeout: 5_000 });
    const sql = `SELECT (SELECT count(*) FROM events WHERE status = 'raw') + (SELECT count(*) FROM summaries WHERE curated = 0) +
      (SELECT count(*) FROM summaries) - (SELECT count(*) FROM summary_embeddings) AS waiting`;
    for (;;) {
      await pause(500);
      if (database.prepare(sql).get().waiting === 0) break;
    }
    database.close();
    await pause(2_000);
  }

  /** Until no session's digest has been written for a while: after so many sessions at once that goes on for minutes. */
  async digested() {
    const count = () => {
      const database = new DatabaseSync(this.database, { readOnly: true, timeout: 5_000 });
      const { digests } = database.prepare('SELECT count(*) AS digests FROM digests').get();
      database.close();
      return digests;
    };
    for (let [seen, since] = [count(), performance.now()]; performance.now() - since < 15_000; ) {
      await pause(1_000);
      const now = count();
      if (now !== seen) [seen, since] = [now, performance.now()];
    }
  }

  /** The daemon from outside. */
  look() {
    const pid = this.#pid;
    const { rssKiB, threads } = threadsAndMemory(pid);
    const logs = path.join(this.#settings, 'logs');
    return {
      rssKiB,
      rssMiB: Math.round(rssKiB / 1024),
      threads,
      descriptors: descriptorsOf(pid),
      children: this.#countChildren(),
      logBytes: sum(fs.readdirSync(logs).map((name) => fs.statSync(path.join(logs, name)).size)),
      databaseBytes: sum(
        fs
          .readdirSync(this.#workspace)
          .filter((name) => /^db\.sqlite(-wal|-shm)?$/.test(name))
          .map((name) => fs.statSync(path.join(this.#workspace, name)).size),
      ),
    };
  }

  #countChildren() {
    this.looks += 1;
    try {
      // The daily look through the database is one, and ends by itself.
      const children = childrenOf(this.#pid).filter((line) => !line.includes('check.cjs')).length;
      this.childrenSeen += children;
      return children;
    } catch {
      // Between two daemons there is none to look at.
      return 0;
    }
  }

  /** Captures and searches, one of each at a time, for `ms` or until `done`; their round trips in ms. */
  async storm(ms, done) {
    const until = performance.now() + ms;
    const goesOn = () => performance.now() < until && !done();
    const times = { captures: [], searches: [] };
    const loop = async (request, into, rest) => {
      const line = openLine(this.#socket);
      for (let at = 0; goesOn(); at += 1) {
        const began = performance.now();
        const reply = await line.ask(request(at));
        into.push(performance.now() - began);
        if (!reply.ok) throw new Error(JSON.stringify(reply));
        await pause(rest);
      }
      line.close();
    };
    const name = `storm-${Date.now()}`;
    const capture = (at) => ({
      op: 'capture',
      tool: 'Bash',
      input: { command: `echo ${at}` },
      output: `line ${at}\n`.repeat(200),
      sessionId: name,
      toolUseId: `${name}-${at}`,
    });
    const words = [
      'failing test',
      'how is the cache cleared',
      'package.json',
      'timeout error',
      'commit the fix',
      'src index',
    ];
    const search = (at) => ({ op: 'search', query: words[at % words.length] });
    await Promise.all([loop(capture, times.captures, 20), loop(search, times.searches, 50)]);
    return times;
  }

  #retentionLines() {
    const logs = path.join(this.#settings, 'logs');
    return fs
      .readdirSync(logs)
      .flatMap((name) => fs.readFileSync(path.join(logs, name), 'utf8').split('\n'))
      .filter((line) => line.includes('"msg":"retention"'))
      .sort();
  }

  retentions() {
    return this.#retentionLines().length;
  }

  lastRetention() {
    const { shrunk, chars, pagesFreed, usedMiB } = JSON.parse(this.#retentionLines().at(-1));
    return { shrunk, chars, pagesFreed, usedMiB };
  }

  integrity() {
    const database = new DatabaseSync(this.database, { readOnly: true, timeout: 5_000 });
    const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get();
    database.close();
    return verdict;
  }

  /** The file's length is what the last checkpoint made it. */
  checkpoint() {
    const database = new DatabaseSync(this.database, { timeout: 5_000 });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }

  /** What a daemon takes that nobody asks anything. */
  async idle(seconds) {
    clearInterval(this.#children);
    const pid = this.#pid;
    const [began, before, wakesBefore] = [performance.now(), processorMs(pid), wakesOf(pid)];
    const points = [];
    while (performance.now() - began < seconds * 1_000) {
      points.push([(performance.now() - began) / 1_000, this.look().rssKiB]);
      await pause(1_000);
    }
    const ms = performance.now() - began;
    return {
      cpu: ((processorMs(pid) - before) / ms) * 100,
      wakes: ((wakesOf(pid) - wakesBefore) / ms) * 1_000,
      slopeKiB: slope(points),
      rssMiB: this.look().rssMiB,
    };
  }

  end() {
    clearInterval(this.#children);
    try {
      this.#memd('stop');
    } catch {
      // It has gone by itself.
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
