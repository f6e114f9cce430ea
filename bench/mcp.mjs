// What the server of the assistant's tools costs: from its start to its first answer, its memory, and what a call through it
// takes, compared with the same question on the daemon's socket.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';

const starts = Number(process.env.MEMD_BENCH_STARTS ?? 30);
const questions = 300;
const memories = 500;

ensureInstalled();
// Another build can be measured by naming its folder.
if (process.env.MEMD_DIST === undefined) ensureBuilt();
const dist = process.env.MEMD_DIST ?? `${root}dist`;
const place = temporaryPlace({ dist });
place.memd('init');
place.memd('start');

function server(...args) {
  const child = spawn(process.execPath, args, { cwd: place.project, env: place.env });
  const waiting = new Map();
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  return {
    ask: (method, params = {}) =>
      new Promise((resolve) => {
        id += 1;
        waiting.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      }),
    memoryMiB: () => {
      // Only Linux shows it this way.
      const status = `/proc/${child.pid}/status`;
      return fs.existsSync(status)
        ? Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(status, 'utf8'))[1]) / 1024
        : 0;
    },
    end: () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.stdin.end();
      }),
  };
}

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};
const took = async (work) => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};
const shown = (values) =>
  `p50 ${quantile(values, 0.5).toFixed(1)} ms, p90 ${quantile(values, 0.9).toFixed(1)} ms`;

const ways = { 'node dist/mcp.cjs': [`${dist}/mcp.cjs`], 'memd mcp': [`${dist}/memd.cjs`, 'mcp'] };
const nodes = [];
const firsts = Object.fromEntries(Object.keys(ways).map((way) => [way, { times: [], memory: 0 }]));
for (let at = 0; at < starts; at += 1) {
  nodes.push(
    await took(
      () =>
        new Promise((resolve) =>
          spawn(process.execPath, ['-e', '0'], { env: place.env }).once('exit', resolve),
        ),
    ),
  );
  for (const [way, args] of Object.entries(ways)) {
    let one;
    firsts[way].times.push(
      await took(() => {
        one = server(...args);
        return one.ask('initialize', hello);
      }),
    );
    firsts[way].memory = one.memoryMiB();
    await one.end();
  }
}
console.log(`node -e 0, whole process: ${shown(nodes)}`);
for (const [way, { times, memory }] of Object.entries(firsts)) {
  console.log(`${way}, start to first answer: ${shown(times)}; ${memory.toFixed(0)} MiB resident`);
}

const line = openLine(place.socket());
for (let at = 0; at < memories; at += 1) {
  const output = at % 3 === 0 ? `Error: step ${at} failed` : 'ok';
  await line.ask({ op: 'capture', tool: 'Bash', input: { command: `npm run step-${at}` }, output });
}
await line.ask({ op: 'drain' });
const client = server(`${dist}/mcp.cjs`);
await client.ask('initialize', hello);
const direct = [];
const through = [];
for (let at = 0; at < questions; at += 1) {
  const query = `step ${at % memories} failed`;
  direct.push(await took(() => line.ask({ op: 'search', query })));
  through.push(await took(() => client.ask('tools/call', { name: 'mem_search', arguments: { query } })));
}
const both = (values) =>
  `p50 ${quantile(values, 0.5).toFixed(2)} ms, p99 ${quantile(values, 0.99).toFixed(2)} ms`;
console.log(`search over the socket, ${memories} memories: ${both(direct)}`);
console.log(`mem_search through the server: ${both(through)}`);
await client.end();
line.close();
place.end();
