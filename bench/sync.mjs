/**
 * What `memd sync` costs: the first push of a memory, the first clone and pull on a second device, and the push and pull of a day. Captures go
 * on meanwhile. The real programs, git, and encryption by a passphrase, over a bare repository on this disk.
 *   node bench/sync.mjs [--events 100000] [--daily 500] [--days 5] [--from DB]
 * `--from`: a database of memd; its calls are stored again and again under new ids. Without it, made-up short ones. Prints one JSON object a
 * line, with the machine's load next to each figure.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine } from './place.mjs';
import { loadRooms } from './rooms.mjs';
import { homeIn, quantiles } from './scale/daemon.mjs';
import { madeSummaries } from './scale/made.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const [events, daily, days] = [
  ['events', 100_000],
  ['daily', 500],
  ['days', 5],
].map(([name, fallback]) => Number(option(name, fallback)));
const from = option('from', null);
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = process.env.MEMD_DIST ?? `${root}dist`;
const memd = path.join(dist, 'memd.cjs');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-sync-'));
const batchRows = 2_000;

try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 50 });
}

async function main() {
  const rooms = await loadRooms(folder, "export { openStore } from './src/memory/store/index.ts';");
  say({ what: 'machine', cores: os.cpus().length, node: process.version, git: git('--version').trim() });
  const remote = path.join(folder, 'memory.git');
  git('init', '-q', '--bare', remote);
  const [one, two] = ['one', 'two'].map(deviceIn);
  const source = sourceOf(rooms);
  const chars = await fill(rooms, one.database, source);
  say({ what: 'memory', events, charsPerEvent: Math.round(chars / events) });
  const daemons = [await one.start(), await two.start()];
  one.run('init', remote, '--passphrase-file', one.passphrase);
  two.run('init', remote, '--passphrase-file', one.passphrase);
  say({ what: 'captures alone', ...quantiles(await captures(one.socket, 300)) });
  const first = await synced(one, daemons[0].pid);
  const bytes = sizeOf(remote);
  say({ what: 'first push', ...first, remoteMiB: mebi(bytes), bytesPerEvent: Math.round(bytes / events) });
  say({ what: 'first clone and pull', ...(await synced(two, daemons[1].pid)) });
  for (let day = 1; day <= days; day += 1) {
    await oneDay(one, source, day);
    const before = sizeOf(remote);
    const push = await synced(one, daemons[0].pid, false);
    const grown = sizeOf(remote) - before;
    say({
      what: `day ${day}: push of ${daily}`,
      ...push,
      bytesPerEvent: Math.round(grown / daily),
      files: git('-C', remote, 'count-objects').trim(),
    });
    say({ what: `day ${day}: pull`, ...(await synced(two, daemons[1].pid, false)) });
  }
  say({ what: 'nothing new', ...(await synced(two, daemons[1].pid, false)) });
  git('-C', remote, 'gc', '-q');
  say({ what: 'remote after gc', MiB: mebi(sizeOf(remote)) });
  for (const daemon of daemons) await daemon.stop();
}

function deviceIn(name) {
  const place = path.join(folder, name);
  const home = homeIn(place, dist);
  const project = path.join(place, 'project');
  const settings = path.join(place, 'home/.memd/default/config.json');
  const config = JSON.parse(fs.readFileSync(settings, 'utf8'));
  fs.writeFileSync(settings, JSON.stringify({ ...config, 'sync.author': 'me@example.com' }));
  const passphrase = path.join(place, 'passphrase');
  fs.writeFileSync(passphrase, 'a long passphrase of several words\n', { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: path.join(place, 'home') };
  const options = { cwd: project, env, encoding: 'utf8' };
  return {
    ...home,
    project,
    env,
    passphrase,
    run: (...args) => execFileSync(process.execPath, [memd, 'sync', ...args], options),
  };
}

/** `memd sync` in a process that says what it used; with captures at its side. */
async function synced({ socket, project, env }, daemonPid, besides = true) {
  const used = path.join(folder, 'used.json');
  const hook = path.join(folder, 'used.cjs');
  fs.rmSync(used, { force: true });
  fs.writeFileSync(
    hook,
    `process.on('exit', () => { if (process.argv[2] === 'sync') require('node:fs').writeFileSync(${JSON.stringify(used)}, JSON.stringify(process.resourceUsage())); });`,
  );
  if (process.platform === 'linux') fs.writeFileSync(`/proc/${daemonPid}/clear_refs`, '5');
  const began = performance.now();
  const child = spawn(process.execPath, [memd, 'sync'], {
    cwd: project,
    env: { ...env, NODE_OPTIONS: `--require=${hook}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let isOver = false;
  const ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => {
    isOver = true;
  });
  const times = besides ? await captures(socket, Number.POSITIVE_INFINITY, () => isOver) : [];
  const code = await ended;
  const seconds = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`memd sync: exit ${code}`);
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(fs.readFileSync(used, 'utf8'));
  return {
    seconds: round(seconds),
    cpuSeconds: round((userCPUTime + systemCPUTime) / 1e6),
    peakMiB: Math.round(maxRSS / 1024),
    ...(process.platform === 'linux' && { daemonPeakMiB: peakOf(daemonPid) }),
    ...(besides && { captures: { n: times.length, ...quantiles(times) } }),
  };
}

function peakOf(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)[1]) / 1024);
}

/** Captures of 2 KB, one every 10 ms: round trips in ms. */
async function captures(socket, count, until = () => false) {
  const line = openLine(socket);
  const times = [];
  while (times.length < count && !until()) {
    const began = performance.now();
    const call = { tool: 'Bash', input: { command: `echo ${times.length}` }, output: 'a line\n'.repeat(280) };
    const id = `bench-${process.pid}-${Date.now()}-${times.length}`;
    const reply = await line.ask({ op: 'capture', ...call, sessionId: 'bench', toolUseId: id });
    times.push(performance.now() - began);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    await pause(10);
  }
  line.close();
  return times;
}

/** Calls with their summaries, without end. */
function* sourceOf(rooms) {
  if (from === null) {
    for (const { text, terms } of madeSummaries(1))
      yield { tool: 'Bash', input: { description: text }, output: 'ok', text, terms };
    return;
  }
  const copy = path.join(folder, 'from.sqlite');
  fs.copyFileSync(from, copy);
  const store = rooms.openStore(copy);
  const sql = `SELECT e.payload_json, s.text, s.terms FROM events e JOIN summaries s ON s.event_id = e.id WHERE e.kind = 'call' ORDER BY e.seq`;
  const rows = store.connection.all(sql);
  store.close();
  for (;;) {
    for (const { payload_json: payload, text, terms } of rows) {
      const { tool, input, output } = JSON.parse(payload);
      yield { tool, input: input ?? null, output: output ?? null, text, terms };
    }
  }
}

async function fill(rooms, database, source) {
  const store = rooms.openStore(database);
  store.connection.exec('PRAGMA synchronous = OFF');
  let chars = 0;
  for (let at = 0; at < events; at += batchRows) {
    const batch = Array.from({ length: Math.min(batchRows, events - at) }, () => source.next().value);
    const rows = batch.map(({ tool, input, output }, index) => {
      const number = at + index;
      const ts = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
      const ids = {
        id: `ev_${number}`,
        toolUseId: `call_${number}`,
        sessionId: `s${Math.floor(number / 80)}`,
      };
      chars += JSON.stringify([input, output]).length;
      return { tool, input, output, ...ids, ts, client: 'claude-code', isError: false, cwd: '/p' };
    });
    store.events.insert(rows);
    const claimed = store.events.claim('1-bench', 0, batch.length, Date.now());
    const words = claimed.map(({ seq }, index) => {
      const { text, terms } = batch[index];
      return { eventSeq: seq, text, terms, model: 'builtin' };
    });
    store.summaries.finish('1-bench', words);
  }
  store.close();
  return chars;
}

async function oneDay({ socket }, source, day) {
  const line = openLine(socket);
  for (let at = 0; at < daily; at += 1) {
    const { tool, input, output } = source.next().value;
    const id = `day-${day}-${at}`;
    await line.ask({ op: 'capture', tool, input, output, sessionId: `day-${day}`, toolUseId: id });
  }
  await line.ask({ op: 'drain' });
  line.close();
}

function sizeOf(place) {
  return Number(execFileSync('du', ['-sk', place], { encoding: 'utf8' }).split('\t')[0]) * 1024;
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' });
}

function mebi(bytes) {
  return Math.round(bytes / 1024 / 102.4) / 10;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function say(what) {
  process.stdout.write(`${JSON.stringify({ ...what, load: round(os.loadavg()[0]) })}\n`);
}
