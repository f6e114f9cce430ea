/**
 * What a search costs with 1,000 to 1,000,000 memories: made-up ones in a real store, the real daemon, its socket. Also
 * FTS5 by itself and sqlite-vec on the same rows.
 *   npm run bench:scale -- [--sizes 1000,10000,100000] [--stores FOLDER] [--seed 1] [--svg FILE]
 * `--stores` keeps filled stores and takes them from there in later runs. MEMD_DIST names another build, MEMD_SQLITE_VEC a
 * folder of packages with `sqlite-vec` in it (skipped without). Prints one JSON object a line. Figures of one run on one machine.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { loadRooms } from './rooms.mjs';
import { ask, capturesBeside, homeIn, memoryOf, processorMs, quantiles } from './scale/daemon.mjs';
import { filling, fillTo } from './scale/fill.mjs';
import { madeQueries } from './scale/made.mjs';
import { plainFts5, sqliteVec } from './scale/others.mjs';
import { plot } from './scale/plot.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const sizes = option('sizes', '1000,10000,100000').split(',').map(Number);
const seed = Number(option('seed', 1));
const svg = option('svg', null);
const keep = option('stores', null);
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = process.env.MEMD_DIST ?? `${root}dist`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-scale-'));

try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 50 });
}

async function main() {
  say({ what: 'machine', cores: os.cpus().length, node: process.version });
  const rooms = await loadRooms(folder, filling);
  say({ what: 'empty', ...(await withDaemon(null)) });
  const results = [];
  for (const size of sizes) {
    const store = await filled(rooms, size);
    const memd = await withDaemon(store);
    say({ what: 'memd', size, ...memd });
    const { short } = madeQueries(seed, 25);
    const fts5 = plainFts5(rooms, store, short);
    const vec = await sqliteVec(rooms, store, short, process.env.MEMD_SQLITE_VEC, folder);
    say({ what: 'others', size, fts5, sqliteVec: vec ?? 'skipped: MEMD_SQLITE_VEC names no sqlite-vec' });
    results.push({ size, memd, fts5, vec });
  }
  if (svg !== null) fs.writeFileSync(svg, drawn(results));
}

/** The file of a store with `size` memories. Each one goes on from the one before. */
async function filled(rooms, size) {
  const kept = keep === null ? null : path.join(keep, `db-${size}.sqlite`);
  if (kept !== null && fs.existsSync(kept)) return kept;
  const growing = path.join(keep ?? folder, 'growing', 'db.sqlite');
  const { added, seconds } = await fillTo(rooms, growing, size, seed);
  say({ what: 'filled', size, added, seconds: Math.round(seconds) });
  if (kept === null) return growing;
  fs.copyFileSync(growing, kept);
  return kept;
}

/** Start, memory, searches and captures of a daemon on a copy of `store`; on an empty store when it is null. */
async function withDaemon(store) {
  const place = fs.mkdtempSync(path.join(folder, 'place-'));
  const home = homeIn(place, dist);
  if (store !== null) {
    fs.copyFileSync(store, home.database);
    fs.chmodSync(home.database, 0o600);
  }
  const daemon = await home.start();
  try {
    const atStart = memoryOf(daemon.pid);
    const kinds = madeQueries(seed, 25);
    const requests = (queries) => queries.map((query) => ({ op: 'search', query }));
    const [first] = await ask(home.socket, requests(kinds.short.slice(0, 1)));
    // Once for the pages and the compiler, once for the figures.
    const all = [];
    const byKind = {};
    await ask(home.socket, requests(Object.values(kinds).flat()));
    const before = processorMs(daemon.pid);
    for (const [kind, queries] of Object.entries(kinds)) {
      const times = await ask(home.socket, requests(queries));
      byKind[kind] = quantiles(times);
      all.push(...times);
    }
    const processor = Math.round(((processorMs(daemon.pid) - before) / all.length) * 10) / 10;
    const after = memoryOf(daemon.pid);
    const captures = quantiles(await capturesBeside(home.socket, requests(Object.values(kinds).flat()), 300));
    const startMs = Math.round(daemon.ms);
    return {
      startMs,
      atStart,
      firstMs: Math.round(first),
      search: quantiles(all),
      processor,
      byKind,
      after,
      captures,
    };
  } finally {
    await daemon.stop();
    // What the daemon started may still leave.
    fs.rmSync(place, { recursive: true, maxRetries: 20, retryDelay: 50 });
  }
}

function drawn(results) {
  const line = (name, colour, of, dash) => ({
    name,
    colour,
    dash,
    points: results.filter((one) => of(one) != null).map((one) => [one.size, Math.max(0.1, of(one))]),
  });
  const lines = [
    line('memd, p50', '#0b62a4', ({ memd }) => memd.search.p50),
    line('memd, p99', '#0b62a4', ({ memd }) => memd.search.p99, '4 3'),
    line('FTS5 alone, p50', '#3a8f3a', ({ fts5 }) => fts5.p50),
    line('sqlite-vec alone, p50', '#b3541e', ({ vec }) => vec?.p50),
  ].filter(({ points }) => points.length > 0);
  const ends = results.map(({ size }) => Math.log10(size));
  const x = [10 ** Math.floor(Math.min(...ends)), 10 ** Math.ceil(Math.max(...ends))];
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, ms]) => ms)));
  return plot(lines, { x, y: [0.1, 10 ** Math.ceil(Math.log10(most))] });
}

function say(line) {
  console.log(JSON.stringify(line));
}
