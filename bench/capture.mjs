// What a capture costs: the hook as a whole process next to `node -e 0`, and the acknowledgement through the socket
// compared with a bare append + fdatasync of the same size on the same disk; alone, and while searches, reads of the page, a
// drain and a backfill run, with the bare append next to it at the same time (the noise of the machine); with clients that send 15 MB captures, and with idle connections and slow writers, with the longest
// that the daemon's socket thread was held up. Ratios of one run are what carries over.
//   npm run bench:capture    MEMD_DATA (default ../shared/data) feeds the backfill; without it that part is left out
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';

ensureInstalled();
ensureBuilt();
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);
const place = temporaryPlace();
const hookScript = `${root}dist/capture-observation.mjs`;
const hookCommonJs = `${root}dist/capture-observation.cjs`;
const observation = JSON.stringify({
  tool: 'Bash',
  input: { command: 'ls -la' },
  output: 'line of output\n'.repeat(120),
});

try {
  console.log(
    `machine: ${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  place.memd('init');
  place.memd('start');
  await hooks();
  await acknowledgements();
  await besideLargeCaptures();
  await besideIdlersAndSlowWriters();
} finally {
  place.end();
}

async function hooks() {
  const { pid } = place.info().daemon;
  const [bare, up, upCommonJs] = await wholeProcesses([['-e', '0'], [hookScript], [hookCommonJs]], 31);
  row('node -e 0', `${ms(bare)}`);
  row('hook, daemon up', `${ms(up)}  ${ratio(up, bare)} of node -e 0`);
  row('the same, .cjs', `${ms(upCommonJs)}  ${ratio(upCommonJs, bare)} of node -e 0`);
  process.kill(pid, 'SIGSTOP');
  const [hung] = await wholeProcesses([[hookScript]], 5);
  process.kill(pid, 'SIGCONT');
  row('hook, daemon hung', `${ms(hung)}  budget 250 ms + start`);
  place.memd('stop');
  const [bareAgain, gone] = await wholeProcesses([['-e', '0'], [hookScript]], 15);
  row('hook, daemon gone', `${ms(gone)}  ${ratio(gone, bareAgain)} of node -e 0`);
  place.memd('start');
}

async function acknowledgements() {
  const bare = bareAppends(400);
  row('append + fdatasync', `p50 ${ms(quantile(bare, 0.5))}  p99 ${ms(quantile(bare, 0.99))}  (bare, 2 KB)`);
  const alone = await captures(400);
  report('acknowledged, alone', alone, bare);
  const many = (await Promise.all(Array.from({ length: 8 }, () => captures(100)))).flat();
  report('acknowledged, 8 at once', many, bare);
  if (!fs.existsSync(`${data}/transcripts`)) return row('during other work', 'skipped: no data');
  let busy = true;
  const noise = new Worker(new URL('append-loop.mjs', import.meta.url), {
    workerData: `${place.folder}/noise`,
  });
  const work = otherWork().then((beside) => {
    busy = false;
    return beside;
  });
  const during = [];
  while (busy) {
    during.push(...(await captures(20)));
    await pause(5);
  }
  const beside = await work;
  noise.postMessage('end');
  const [bareDuring] = await once(noise, 'message');
  report('acknowledged, during', during, bareDuring);
  row('bare append, during', `p50 ${ms(quantile(bareDuring, 0.5))}  p99 ${ms(quantile(bareDuring, 0.99))}`);
  row('', `${during.length} captures beside a backfill, a drain, ${beside}`);
}

/** Two clients send 15 MB captures one after the other, each whole, while a third captures every 5 ms. */
async function besideLargeCaptures() {
  await freshDaemon();
  const output = fs.readFileSync(`${root}dist/daemon.cjs`, 'utf8').repeat(60).slice(0, 14_000_000);
  let sent = 0;
  const sender = async (name) => {
    const line = openLine(place.socket());
    for (let index = 0; index < 15; index += 1) {
      const toolUseId = `large-${name}-${index}`;
      const reply = await line.ask({ op: 'capture', tool: 'Bash', input: {}, output, toolUseId });
      if (!reply.ok) throw new Error(JSON.stringify(reply));
      sent += 1;
    }
    line.close();
  };
  const times = await paced(Promise.all([sender('a'), sender('b')]));
  reportBeside('with 15 MB captures', times, `${sent} large ones acknowledged`);
}

/** 500 connections that say nothing, and 40 that send a byte of a request each 10 ms and read no reply. */
async function besideIdlersAndSlowWriters() {
  await freshDaemon();
  const idlers = await Promise.all(Array.from({ length: 500 }, () => silent()));
  const writers = await Promise.all(Array.from({ length: 40 }, () => silent()));
  const request = '{"op":"info"}\n';
  let at = 0;
  const dripping = setInterval(() => {
    for (const writer of writers) writer.write(request[at % request.length]);
    at += 1;
  }, 10);
  const times = await paced(pause(6_000));
  clearInterval(dripping);
  for (const client of [...idlers, ...writers]) client.destroy();
  reportBeside('with 500 idle + 40 slow', times, '');
}

function silent() {
  return new Promise((resolve) => {
    const client = net.connect(place.socket(), () => resolve(client));
    // The daemon closes the longest idle ones.
    client.on('error', () => {});
    client.pause();
  });
}

/** A new daemon, whose counters begin at 0. */
async function freshDaemon() {
  place.memd('stop');
  place.memd('start');
  await captures(50);
}

/** One capture each 5 ms, of a client of its own, until `work` has settled. */
async function paced(work) {
  let busy = true;
  const over = work.then(() => {
    busy = false;
  });
  const line = openLine(place.socket());
  const times = [];
  while (busy) {
    const started = performance.now();
    const reply = await line.ask({
      op: 'capture',
      ...JSON.parse(observation),
      toolUseId: `paced-${times.length}-${started}`,
    });
    times.push(performance.now() - started);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    await pause(5);
  }
  await over;
  line.close();
  return times;
}

function reportBeside(name, times, note) {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  row(name, `p50 ${ms(p50)}  p99 ${ms(p99)}  max ${ms(Math.max(...times))}  of ${times.length}`);
  if (note !== '') row('', note);
}

/** A backfill, then a drain in its own process; searches and reads of the page all along. Returns how many. */
async function otherWork() {
  let over = false;
  const searching = (async () => {
    const line = openLine(place.socket());
    let count = 0;
    for (; !over; count += 1)
      await line.ask({ op: 'search', query: 'which test failed in the session command' });
    line.close();
    return count;
  })();
  const reading = (async () => {
    const { url } = place.info().http;
    const token = fs.readFileSync(`${place.env.HOME}/.memd/auth.token`, 'utf8').trim();
    let count = 0;
    for (; !over; count += 1) {
      const page = ['status', 'summaries?limit=50', 'sessions'][count % 3];
      const reply = await fetch(`${url}/api/${page}`, { headers: { Authorization: `Bearer ${token}` } });
      if (!reply.ok) throw new Error(`${page}: ${reply.status}`);
      await reply.arrayBuffer();
    }
    return count;
  })();
  const working = (async () => {
    await place.memdBeside('backfill', '--from', `${data}/transcripts`);
    await place.memdBeside('drain');
    over = true;
  })();
  const [searches, reads] = await Promise.all([searching, reading, working]);
  return `${searches} searches and ${reads} reads of the page`;
}

async function captures(count) {
  const line = openLine(place.socket());
  const request = { op: 'capture', ...JSON.parse(observation), sessionId: 'bench' };
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    const reply = await line.ask({ ...request, toolUseId: `${started}-${index}-${Math.random()}` });
    times.push(performance.now() - started);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
  }
  line.close();
  return times;
}

function bareAppends(count) {
  const fd = fs.openSync(`${place.folder}/bare`, 'a');
  const bytes = Buffer.alloc(2048, 'x');
  const times = Array.from({ length: count }, () => {
    const started = performance.now();
    fs.writeSync(fd, bytes);
    fs.fdatasyncSync(fd);
    return performance.now() - started;
  });
  fs.closeSync(fd);
  return times;
}

/** Median wall time of each command, run in turn so that the machine's moods meet all alike. */
async function wholeProcesses(commands, runs) {
  const times = commands.map(() => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, args] of commands.entries()) times[index].push(await wholeProcess(args));
  }
  return times.map((one) => quantile(one, 0.5));
}

function wholeProcess(args) {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: place.project,
    env: place.env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(observation);
  return new Promise((resolve) => child.on('exit', () => resolve(performance.now() - started)));
}

function report(name, times, bare) {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  row(name, `p50 ${ms(p50)}  p99 ${ms(p99)}  p50 ${ratio(p50, quantile(bare, 0.5))} of the bare append`);
}

function row(name, text) {
  console.log(`${name.padEnd(24)} ${text}`);
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`.padStart(9);
}

function ratio(a, b) {
  return `${(a / b).toFixed(2)} x`;
}
