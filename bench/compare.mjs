// memd compared with its alternatives, doing the same work in one run on one machine: claude-mem, the reference memory
// server of the Model Context Protocol, and ripgrep. Their versions are fixed in compare/rivals.mjs and come from the npm registry.
//   npm run bench:compare -- [--calls 200] [--hooks 15] [--rivals FOLDER] [--markdown]
//     --calls    tool calls that each captures
//     --hooks    single hooks that are timed
//     --rivals   keeps what is installed (about 600 MB) for the next run; else it goes into a temporary folder
//     --markdown prints the tables of docs/comparison.md
// Everything runs in temporary homes and is stopped by its id. Nothing is asked of a model: what claude-mem makes of its
// observations with one is not measured here.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { payload, secrets } from './compare/calls.mjs';
import { openClaudeMem } from './compare/claude-mem.mjs';
import { openMemd } from './compare/memd.mjs';
import { family, isRunning, residentMiB, timed } from './compare/processes.mjs';
import { installRivals, mebibytes } from './compare/rivals.mjs';
import { compareSearch } from './compare/search.mjs';
import { quantile } from './place.mjs';

const { values: flags } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    hooks: { type: 'string', default: '15' },
    rivals: { type: 'string' },
    markdown: { type: 'boolean', default: false },
  },
});
ensureInstalled();
ensureBuilt();
const own = flags.rivals === undefined ? fs.mkdtempSync(path.join(os.tmpdir(), 'rivals-')) : null;

try {
  const folder = path.resolve(own ?? flags.rivals);
  fs.mkdirSync(folder, { recursive: true });
  await main(installRivals(folder));
} finally {
  if (own !== null) fs.rmSync(own, { recursive: true });
}

async function main(rivals) {
  const date = new Date().toISOString().slice(0, 10);
  console.log(`machine: ${os.cpus().length} cores, Node ${process.version}, ${date}\n`);
  const memd = await measured(openMemd());
  const claudeMem = await measured(openClaudeMem(rivals.claudeMem));
  memd.installed = `${(mebibytes(`${root}dist`) + mebibytes(`${root}node_modules/@photostructure`)).toFixed(0)} MiB`;
  claudeMem.installed = `${rivals.claudeMem.installedMiB.toFixed(0)} MiB`;
  print(['capture', `memd ${memd.version}`, `claude-mem ${claudeMem.version}`], captureRows(memd, claudeMem));
  const search = await compareSearch(rivals, `${root}dist`);
  print(
    ['search', 'nDCG@10', 'Hit@5', 'p50'],
    search.map(({ name, ndcg10, hit5, ms }) => [
      name,
      ndcg10.toFixed(3),
      hit5.toFixed(3),
      `${ms.toFixed(1)} ms`,
    ]),
  );
  console.log(
    `\n${search[0].questions} questions of bench/search/questions; ripgrep ${rivals.ripgrep.version}, server-memory ${rivals.serverMemory.version}`,
  );
}

/** Everything that is measured of a product that captures tool calls. It is ended afterwards. */
async function measured(product) {
  const hooks = Number(flags.hooks);
  const calls = Number(flags.calls);
  try {
    const run = (at) =>
      timed(product.hook, { input: payload(at, product.project), env: product.env, cwd: product.project });
    run(0);
    const bare = [];
    const ran = [];
    for (let at = 1; at <= hooks; at += 1) {
      bare.push(timed('node -e 0', { env: product.env, cwd: product.project }));
      ran.push(run(at));
    }
    for (let at = hooks + 1; at < calls; at += 1) run(at);
    const pids = family(product.pid());
    const result = {
      version: product.version,
      isAsync: product.isAsync,
      wall: p50(ran, 'wallMs'),
      cpu: p50(ran, 'cpuMs'),
      bareWall: p50(bare, 'wallMs'),
      bareCpu: p50(bare, 'cpuMs'),
      processes: pids.length,
      resident: residentMiB(pids),
      open: await openPages(product),
      stored: product.stored(),
      leaked: leaked(product.data),
    };
    // One more call, then the worst that can happen, then calls with nobody there.
    run(calls);
    await killed(product.pid());
    for (let at = calls + 1; at <= calls + 10; at += 1) run(at);
    product.start();
    result.afterKill = await settled(() => product.stored(), calls + 11);
    result.expected = calls + 11;
    result.readable = othersMayRead(product.data);
    return result;
  } finally {
    product.end();
  }
}

function captureRows(memd, claudeMem) {
  const both = (title, of) => [title, of(memd), of(claudeMem)];
  const share = (part, whole) => `${(part / whole).toFixed(1)} x`;
  return [
    both(
      'hook, wall p50',
      (one) => `${one.wall.toFixed(0)} ms (${share(one.wall, one.bareWall)} \`node -e 0\`)`,
    ),
    both('hook, CPU p50', (one) => `${one.cpu.toFixed(0)} ms (${share(one.cpu, one.bareCpu)})`),
    both('the assistant waits for it', (one) => (one.isAsync ? 'no (async)' : 'yes')),
    both('processes that stay', (one) => `${one.processes}, ${one.resident.toFixed(0)} MiB resident`),
    both('installed', (one) => one.installed),
    both(`stored of ${flags.calls} calls`, (one) => `${one.stored}`),
    both(
      'stored after a kill -9 and 10 calls with nobody there',
      (one) => `${one.afterKill} of ${one.expected}`,
    ),
    both(`secrets found in clear in its files, of ${secrets.length}`, (one) => `${one.leaked}`),
    both('its files readable by other users', (one) => (one.readable ? 'yes' : 'no')),
    both('answered without a token', (one) => one.open.plain),
    both('the same, with `Host: evil.example`', (one) => one.open.foreign),
  ];
}

/** How many of the product's pages and calls answer with 200 to anyone who asks. */
async function openPages({ url, pages }) {
  const base = url();
  if (!base) return { plain: 'no port', foreign: 'no port' };
  const count = (args) => {
    const answers = pages.filter((page) => statusOf(`${new URL(base).origin}${page}`, args) === '200');
    return `${answers.length} of ${pages.length}`;
  };
  return { plain: count([]), foreign: count(['-H', 'Host: evil.example']) };
}

function statusOf(url, args) {
  const options = ['-s', '-o', os.devNull, '-m', '3', '-w', '%{http_code}', ...args, url];
  try {
    return execFileSync('curl', options, { encoding: 'utf8' });
  } catch (error) {
    // A stream that goes on ends by the time limit; its status is known.
    return error.stdout ?? '';
  }
}

/** How many of the secrets stand in any file below `folder`. */
function leaked(folder) {
  const found = new Set();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = fs.readFileSync(path.join(entry.parentPath ?? entry.path, entry.name));
    for (const secret of secrets) if (bytes.includes(secret)) found.add(secret);
  }
  return found.size;
}

/** Whether another user could read a file of it, the temporary folder apart. */
function othersMayRead(folder) {
  const isOpen = (target) => (fs.statSync(target).mode & 0o004) !== 0;
  const walk = (current) =>
    fs.readdirSync(current, { withFileTypes: true }).some((entry) => {
      const target = path.join(current, entry.name);
      if (entry.isDirectory()) return (fs.statSync(target).mode & 0o001) !== 0 && walk(target);
      return entry.isFile() && isOpen(target);
    });
  return walk(folder);
}

async function killed(pid) {
  for (const one of family(pid)) process.kill(one, 'SIGKILL');
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The count once it is `wanted`, or after ten seconds. */
async function settled(count, wanted) {
  const deadline = performance.now() + 10_000;
  while (count() < wanted && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 200));
  return count();
}

function p50(runs, name) {
  return quantile(
    runs.map((run) => run[name]),
    0.5,
  );
}

function print(head, rows) {
  if (flags.markdown) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
  } else {
    const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at].length)));
    for (const cells of [head, ...rows])
      console.log(cells.map((cell, at) => cell.padEnd(widths[at])).join('  '));
  }
  console.log();
}
