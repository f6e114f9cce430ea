// What giving an outline costs the daemon, and how many of the sessions that start on a busy machine get one. Or what a long session costs.
//   npm run bench:session-start -- [--sessions 10,100,400] [--starts 10] [--load 4] [--dist FOLDER]
//   npm run bench:session-start -- --long 2000 [--rounds 9] [--dist FOLDER,FOLDER]
//     --sessions  how many recorded sessions are behind the one that starts
//     --starts    how many sessions start under load, with a daemon that runs and with one that is stopped before each
//     --load      endless loops per core during these starts
//     --database  a drained database of memd in place of recorded sessions
//     --dist      the build to measure (dist/, built when it is out of date); with --long several, asked in turn
//     --long      a session of so many events: its account from nothing and an event later, outline, handoff, page
// The sessions are those of MEMD_DATA (default ../shared/data), each repeated under another id. Linux only: it reads /proc.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { busyLoops, openLine, quantile, temporaryPlace } from './place.mjs';
import { measureLong } from './session-start/long-session.mjs';

const { values: flags } = parseArgs({
  options: {
    sessions: { type: 'string', default: '10,100,400' },
    starts: { type: 'string', default: '10' },
    load: { type: 'string', default: '4' },
    dist: { type: 'string' },
    database: { type: 'string' },
    long: { type: 'string' },
    rounds: { type: 'string', default: '9' },
  },
});
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`, 'transcripts');
const dist = path.resolve(flags.dist ?? `${root}dist`);
const rounds = 8;

if (!fs.existsSync(data)) {
  console.log('skipped: no data');
  process.exit(0);
}
if (flags.dist === undefined) {
  ensureInstalled();
  ensureBuilt();
}
console.log(
  `machine: ${os.cpus().length} cores, Node ${process.version}, load ${os.loadavg()[0].toFixed(1)}`,
);
if (flags.long !== undefined)
  await measureLong({
    ...{ dists: (flags.dist ?? dist).split(',').map((one) => path.resolve(one)), data },
    ...{ events: Number(flags.long), rounds: Number(flags.rounds), tools: { configure, quiet } },
  });
else if (flags.database !== undefined) await measure(null);
else for (const count of flags.sessions.split(',').map(Number)) await measure(count);

async function measure(count) {
  const place = temporaryPlace({ dist });
  try {
    configure(place);
    if (count === null) lay(flags.database, place);
    else place.memd('backfill', '--from', recorded(count, `${place.folder}/recorded`));
    place.memd('drain');
    const { counts } = place.info();
    console.log(`\n${count ?? flags.database}: ${counts.events} events`);
    await giving(place);
    if (Number(flags.starts) > 0) for (const isStopped of [false, true]) await starts(place, isStopped);
  } finally {
    place.end();
  }
}

function configure(place) {
  place.memd('init');
  place.env.LOCALLLM_HOST = 'http://127.0.0.1:9';
  const file = `${place.folder}/home/.memd/default/config.json`;
  const settings = { 'drain.backend': 'builtin', 'retention.payloadDays': 100_000 };
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...settings }));
  place.memd('start');
}

function lay(database, place) {
  const own = `${path.dirname(place.socket())}/db.sqlite`;
  place.memd('stop');
  for (const side of ['-wal', '-shm']) fs.rmSync(own + side, { force: true });
  fs.copyFileSync(database, own);
  fs.chmodSync(own, 0o600);
  place.memd('start');
}

/** A folder with `count` transcripts. */
function recorded(count, to) {
  fs.mkdirSync(to);
  const files = fs
    .readdirSync(data, { recursive: true })
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort();
  for (let at = 0; at < count; at += 1) {
    const file = files[at % files.length];
    const id = path.basename(file, '.jsonl.gz');
    const turn = Math.floor(at / files.length);
    const own = turn === 0 ? id : `${turn}${id.slice(1)}`;
    const text = gunzipSync(fs.readFileSync(path.join(data, file)), { finishFlush: zlib.Z_SYNC_FLUSH });
    fs.writeFileSync(
      `${to}/${own}.jsonl`,
      turn === 0 ? text : another(text.toString(), turn).replaceAll(id, own),
    );
  }
  return to;
}

/** The same under other ids of calls and messages: by these memd knows a copy. */
function another(text, turn) {
  return text.replaceAll('"uuid":"', `"uuid":"${turn}`).replaceAll('toolu_', `toolu_${turn}`);
}

/** Processor time of an outline: after a change that is drained, and of all that the change sets going. */
async function giving(place) {
  const { pid } = place.info().daemon;
  const line = openLine(place.socket());
  const found = { giving: [], preparing: [] };
  for (let round = 0; round < rounds; round += 1) {
    const before = await quiet(pid);
    const call = { tool: 'Bash', input: { command: `make ${round}` }, output: 'ok', toolUseId: `t${round}` };
    await line.ask({ op: 'capture', ...call, sessionId: `bench-${round}`, cwd: place.project });
    await line.ask({ op: 'rest', session: `bench-${round}` });
    await line.ask({ op: 'drain' });
    const prepared = await quiet(pid);
    const { text } = await line.ask({ op: 'outline', session: `new-${round}`, source: 'startup' });
    if (text === '') throw new Error('the outline is empty');
    // Not for longer: an idle daemon collects its garbage then.
    await pause(200);
    const given = processorMs(pid);
    found.preparing.push(prepared - before);
    found.giving.push(given - prepared);
  }
  line.close();
  for (const [what, times] of Object.entries(found))
    console.log(
      `${what}: p50 ${quantile(times, 0.5).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms of processor time`,
    );
}

/** The processor time of a process in ms, once it grows no more than that of an idle one. */
async function quiet(pid) {
  for (let before = -1; ; ) {
    const now = processorMs(pid);
    if (now - before < 5) return now;
    before = now;
    await pause(400);
  }
}

function processorMs(pid) {
  const tasks = fs.readdirSync(`/proc/${pid}/task`);
  const spent = (task) =>
    Number(fs.readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  return tasks.reduce((sum, task) => sum + spent(task), 0) / 1e6;
}

/** Starts sessions by the hook on a busy machine, one after the other. */
async function starts(place, isStopped) {
  const busy = busyLoops(os.cpus().length * Number(flags.load));
  try {
    let given = 0;
    const took = [];
    for (let at = 0; at < Number(flags.starts); at += 1) {
      if (isStopped) place.memd('stop');
      const began = performance.now();
      if ((await begin(place, `start-${isStopped}-${at}`)).includes('Last sessions:')) given += 1;
      took.push(performance.now() - began);
    }
    console.log(
      `${given} of ${flags.starts} outlines at load ${flags.load} per core, ${isStopped ? 'daemon stopped before each' : 'daemon up'}: ` +
        `p50 ${quantile(took, 0.5).toFixed(0)} ms, longest ${Math.max(...took).toFixed(0)} ms`,
    );
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
  }
}

function begin(place, session) {
  const hook = spawn(process.execPath, [`${dist}/session-start.mjs`], {
    ...{ cwd: place.project, env: { ...place.env, CLAUDE_PROJECT_DIR: place.project } },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const payload = { session_id: session, source: 'startup', hook_event_name: 'SessionStart' };
  hook.stdin.end(JSON.stringify(payload));
  return new Promise((resolve, reject) => {
    let output = '';
    hook.stdout.on('data', (chunk) => {
      output += chunk;
    });
    hook.on('error', reject);
    hook.on('close', () => resolve(output));
  });
}
