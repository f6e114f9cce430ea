// What the plugin costs a session of a real Claude Code: sessions of Bash calls against a scripted model on the loopback, with the plugin and without it,
// taken in turns in one run. A call's time is from one request of the model to the next, as the model sees it: the client's own work, the
// tool, our hooks. Also what the client itself reports of the capture hook. `npm run bench:client`; MEMD_BENCH_SESSIONS, MEMD_BENCH_CALLS.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clientsCache, fetchClients, isolation } from '../scripts/clients.mjs';
import { ensureBuilt, ensureInstalled, root, run } from '../scripts/ready.mjs';
import { quantile } from './place.mjs';
import { loadRooms } from './rooms.mjs';

const sessions = Number(process.env.MEMD_BENCH_SESSIONS ?? 5);
const calls = Number(process.env.MEMD_BENCH_CALLS ?? 20);

if (process.env.MEMD_BENCH_WITHIN === undefined) {
  ensureInstalled();
  if (process.env.MEMD_DIST === undefined) ensureBuilt();
  if (fetchClients(['claude-code']).length > 0) process.exit(0);
  const [command, ...args] = [...(isolation() ?? []), process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, MEMD_BENCH_WITHIN: '1', MEMD_CLIENTS: clientsCache() };
  run(command, args, { env: { ...env, MEMD_DIST: path.resolve(process.env.MEMD_DIST ?? `${root}dist`) } });
  process.exit(0);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-'));
const plugin = path.join(folder, 'plugin');
execFileSync(process.execPath, [`${root}scripts/plugin.mjs`, plugin], { stdio: 'ignore' });
const parts = ['desk', 'session', 'reply'].map(
  (name) => `export * from './test/client/claude-code/${name}.ts';`,
);
const { openDesk, closeDesks, session, bash, title } = await loadRooms(folder, parts.join('\n'));

const ways = { without: {}, with: { plugin } };
const found = Object.fromEntries(Object.keys(ways).map((way) => [way, { calls: [], begun: [], whole: [] }]));
const desk = await openDesk();
await desk.home.start();
const nodes = [];
// One of each that does not count: the client's first start in a home, cold files.
for (let at = -1; at < sessions; at += 1) {
  const nodeAt = performance.now();
  execFileSync(process.execPath, ['-e', '0'], { env: desk.home.env() });
  nodes.push(performance.now() - nodeAt);
  for (const [way, options] of Object.entries(ways)) {
    desk.model.play([...Array.from({ length: calls }, () => bash('true')), { say: 'done' }]);
    const begunAt = performance.now();
    const { tookMs } = await session(desk, options);
    const times = desk.model.turns().map(({ atMs }) => atMs);
    if (at < 0) continue;
    found[way].calls.push(...times.slice(1).map((time, before) => time - times[before]));
    found[way].begun.push(times[0] - begunAt);
    found[way].whole.push(tookMs);
  }
}

console.log(`${title}, ${sessions} sessions of ${calls} Bash calls each way, in turns; the daemon runs:`);
for (const [what, of] of [
  ['a call, from one request to the next', 'calls'],
  ['from the start to the first request', 'begun'],
  ['a whole session', 'whole'],
]) {
  const [bare, ours] = ['without', 'with'].map((way) => quantile(found[way][of], 0.5));
  const spread = `p90 ${quantile(found.without[of], 0.9).toFixed(0)} and ${quantile(found.with[of], 0.9).toFixed(0)}`;
  const ratio = (ours / bare).toFixed(2);
  console.log(
    `${what}: without ${bare.toFixed(0)} ms, with ${ours.toFixed(0)} ms (p50; ${spread}): +${(ours - bare).toFixed(0)} ms, ${ratio} times`,
  );
}
console.log(`two starts of Node, which our two hooks are: ${(2 * quantile(nodes, 0.5)).toFixed(0)} ms (p50)`);
const reported = durations(path.join(desk.home.home, '.claude'));
const shown = (values) =>
  `p50 ${quantile(values, 0.5)} ms, p90 ${quantile(values, 0.9)} ms of ${values.length}`;
console.log(`as the client reports it, the capture hook: ${shown(reported)}`);
const stored = desk.home.rows('SELECT count(*) AS n FROM events')[0].n;
console.log(`captured: ${stored} of ${(sessions + 1) * calls}`);
await closeDesks();
fs.rmSync(folder, { recursive: true });

/** How long each capture hook took, by the transcripts. */
function durations(below) {
  return fs
    .readdirSync(below, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => fs.readFileSync(path.join(below, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line).attachment)
    .filter((one) => one?.type === 'hook_success' && one.hookEvent === 'PostToolUse')
    .map((one) => one.durationMs);
}
