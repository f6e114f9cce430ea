// The whole way on real sessions: backfill, backfill again, drain with the builtin summariser, search through
// the socket. Figures of one run on one machine; the ratios are what carries over.
//   npm run bench            reads MEMD_DATA (default ../shared/data)
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';

const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);
if (!fs.existsSync(`${data}/transcripts`)) {
  console.log('skipped: no data (set MEMD_DATA)');
  process.exit(0);
}
ensureInstalled();
ensureBuilt();

const place = temporaryPlace();
const { memd, info } = place;

try {
  await main();
} finally {
  place.end();
}

async function main() {
  console.log(
    `machine: ${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  memd('init');
  memd('start');
  const { pid } = info().daemon;

  const [first, firstMs] = timed(() =>
    JSON.parse(memd('backfill', '--from', `${data}/transcripts`, '--json')),
  );
  const calls = first.captured + first.duplicates;
  row(
    'backfill',
    `${first.scanned} files, ${first.captured} captured + ${first.duplicates} duplicates = ${calls} calls`,
  );
  row(
    '',
    `${first.malformed} malformed lines, ${first.unanswered} without a result, ${first.unreadable.length} unreadable`,
  );
  row('', `${perSecond(calls, firstMs)} calls/s, ${(firstMs / 1000).toFixed(1)} s`);
  row('daemon, peak RSS', `${peakMiB(pid)} MiB`);
  const [second, secondMs] = timed(() =>
    JSON.parse(memd('backfill', '--from', `${data}/transcripts`, '--json')),
  );
  row(
    'backfill again',
    `${second.captured} captured, ${second.duplicates} duplicates, ${(secondMs / 1000).toFixed(1)} s`,
  );

  const [drained, drainMs] = timed(() => JSON.parse(memd('drain')));
  row('drain, builtin', `${drained.processed} events, ${perSecond(drained.processed, drainMs)} events/s`);
  row('', JSON.stringify(info().counts));

  const socket = place.socket();
  const ping = await measure(socket, Array(400).fill({ op: 'ping' }));
  const queries = realQueries().map((query) => ({ op: 'search', query }));
  const [cold] = await measure(socket, queries.slice(0, 1));
  const search = await measure(socket, queries);
  row('search, first', `${cold.toFixed(1)} ms (loads the vectors)`);
  row(
    'search',
    `p50 ${quantile(search, 0.5).toFixed(1)} ms, p99 ${quantile(search, 0.99).toFixed(1)} ms, ${queries.length} queries`,
  );
  row(
    'ping',
    `p50 ${quantile(ping, 0.5).toFixed(2)} ms; search/ping ${(quantile(search, 0.5) / quantile(ping, 0.5)).toFixed(0)}`,
  );
  row('database', `${(databaseBytes() / 2 ** 20).toFixed(1)} MiB`);

  const payload = JSON.stringify({ tool: 'Bash', input: { command: 'ls' }, output: 'x'.repeat(2000) });
  const hook = wholeProcess([`${root}dist/capture-observation.mjs`], payload);
  const bare = wholeProcess(['-e', '0'], '');
  row(
    'hook, daemon up',
    `${hook.toFixed(1)} ms, ${(hook / bare).toFixed(2)} x node -e 0 (${bare.toFixed(1)} ms)`,
  );
}

function row(name, text) {
  console.log(`${name.padEnd(18)} ${text}`);
}

function timed(work) {
  const started = performance.now();
  const result = work();
  return [result, performance.now() - started];
}

function perSecond(count, ms) {
  return Math.round((count / ms) * 1000);
}

/** Peak resident memory, all threads; Linux shows it, elsewhere it is left out. */
function peakMiB(pid) {
  if (process.platform !== 'linux') return '?';
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);
}

function databaseBytes() {
  const folder = path.dirname(place.socket());
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith('db.sqlite'))
    .reduce((bytes, name) => bytes + fs.statSync(`${folder}/${name}`).size, 0);
}

function realQueries() {
  const lines = fs.readFileSync(`${data}/code-memory/queries.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line).query);
}

/** Round trips in ms, one after the other on one connection. */
async function measure(socket, requests) {
  const line = openLine(socket);
  const times = [];
  for (const request of requests) {
    const started = performance.now();
    const reply = await line.ask(request);
    times.push(performance.now() - started);
    if (!reply.ok) throw new Error(JSON.stringify(reply));
  }
  line.close();
  return times;
}

/** Median wall time of a whole process. */
function wholeProcess(args, input) {
  const times = Array.from({ length: 15 }, () => {
    const started = performance.now();
    spawnSync(process.execPath, args, { cwd: place.project, env: place.env, input });
    return performance.now() - started;
  });
  return quantile(times, 0.5);
}
