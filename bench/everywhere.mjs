// How long `mem search --everywhere` takes: the whole command, from its start to its end, over made-up memories without a daemon.
//   node bench/everywhere.mjs [--workspaces 20] [--size 5000] [--runs 15]
// The first run reads files that the machine has just written; no cache is dropped. MEMD_DIST names another build.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { quantile } from './place.mjs';
import { loadRooms } from './rooms.mjs';
import { filling, fillTo } from './scale/fill.mjs';
import { madeQueries } from './scale/made.mjs';

const { values: flags } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '20' },
    size: { type: 'string', default: '5000' },
    runs: { type: 'string', default: '15' },
  },
});
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = process.env.MEMD_DIST ?? `${root}dist`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-everywhere-'));

try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function main() {
  const rooms = await loadRooms(folder, filling);
  const home = `${folder}/home`;
  const workspaces = `${home}/.memd/default/workspaces`;
  fs.mkdirSync(workspaces, { recursive: true, mode: 0o700 });
  fs.mkdirSync(`${folder}/project/.git`, { recursive: true });
  for (let at = 0; at < Number(flags.workspaces); at += 1) {
    const key = `project-${at.toString(16).padStart(12, '0')}`;
    await fillTo(rooms, `${workspaces}/${key}/db.sqlite`, Number(flags.size), at + 1);
    fs.chmodSync(`${workspaces}/${key}/db.sqlite`, 0o600);
  }
  const before = filesIn(workspaces);
  const { short } = madeQueries(1, Number(flags.runs));
  const [, ...times] = ['--help', ...short].map((query) => timed(home, query));
  const left = filesIn(workspaces).filter((file) => !before.includes(file));
  console.log(
    JSON.stringify({
      machine: `${os.cpus().length} cores, Node ${process.version}`,
      workspaces: Number(flags.workspaces),
      size: Number(flags.size),
      runs: times.length,
      firstMs: Math.round(times[0]),
      p50Ms: Math.round(quantile(times, 0.5)),
      p99Ms: Math.round(quantile(times, 0.99)),
      filesLeft: left.length,
    }),
  );
}

function timed(home, query) {
  const args = query === '--help' ? ['--help'] : ['search', query, '--everywhere', '--json'];
  const started = performance.now();
  const options = { cwd: `${folder}/project`, env: { PATH: process.env.PATH, HOME: home } };
  const printed = execFileSync(process.execPath, [`${dist}/mem.cjs`, ...args], options).toString();
  const ms = performance.now() - started;
  if (query !== '--help' && JSON.parse(printed).searched !== Number(flags.workspaces))
    throw new Error(printed);
  return ms;
}

function filesIn(where) {
  return fs.readdirSync(where, { recursive: true });
}
