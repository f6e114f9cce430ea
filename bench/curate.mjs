/**
 * What curation costs: 100,000 summaries of made-up sessions in a real database, looked at from zero, then 1,000 further
 * ones. The sessions repeat themselves as real ones do: the same files are read again, the same checks run again and
 * fail and pass, edits are edited, plans go on.
 *   node bench/curate.mjs [--summaries 100000] [--further 1000] [--seed 1]
 * Prints one JSON object a line. Figures of one run on one machine.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadRooms } from './rooms.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const random = seeded(option('seed', 1));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-curate-'));

try {
  await main(option('summaries', 100_000), option('further', 1_000));
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function main(count, further) {
  const rooms = await loadRooms(
    folder,
    `export { openStore } from './src/memory/store/index.ts';
    export { builtinBackend, drain } from './src/memory/summarise/index.ts';
    export { curate } from './src/memory/curate/index.ts';`,
  );
  const store = rooms.openStore(path.join(folder, 'db.sqlite'));
  const sessions = made();
  say({ what: 'machine', cores: os.cpus().length, node: process.version });
  await fill(rooms, store, sessions, count);
  say({ what: 'from zero', ...(await measured(rooms, store)) });
  await fill(rooms, store, sessions, further);
  say({ what: 'further', ...(await measured(rooms, store)) });
  say({ what: 'nothing new', ...(await measured(rooms, store)) });
  const rules = store.connection.all(
    "SELECT kind, substr(evidence, 1, instr(evidence, ':') - 1) AS rule, count(*) AS edges FROM edges GROUP BY 1, 2 ORDER BY 3 DESC",
  );
  for (const rule of rules) say({ what: 'rule', ...rule });
  say({ what: 'database', MiB: Math.round(fs.statSync(path.join(folder, 'db.sqlite')).size / 2 ** 20) });
  store.close();
}

/** Stores the next `count` calls of `sessions` with the summaries of the builtin summariser. */
async function fill(rooms, store, sessions, count) {
  for (let left = count; left > 0; left -= 1_000) {
    const events = Array.from({ length: Math.min(1_000, left) }, () => sessions.next().value);
    store.events.insert(events);
  }
  const backend = rooms.builtinBackend();
  await rooms.drain(
    {
      store,
      choose: async () => ({ backend }),
      batchSize: 64,
      attemptsMax: 3,
      owner: `${process.pid}-bench`,
      report: () => {},
      signal: new AbortController().signal,
    },
    null,
  );
}

/** One curation, with the longest time that it kept the thread from others. */
async function measured(rooms, store) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  const cpu = process.cpuUsage();
  const { signal } = new AbortController();
  const { curated, edges } = await rooms.curate({ store, signal, report: say });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  return {
    summaries: curated,
    edges,
    seconds: Number((ms / 1000).toFixed(2)),
    cpuSeconds: Number(((user + system) / 1e6).toFixed(2)),
    perSecond: Math.round((curated / ms) * 1000),
    threadHeldMsP99: Number((delay.percentile(99) / 1e6).toFixed(1)),
    threadHeldMsMax: Number((delay.max / 1e6).toFixed(1)),
  };
}

function say(line) {
  console.log(JSON.stringify(line));
}

/** Calls of one session after the other, without end: some 60 each, about 3 KB a call, on 400 files. */
function* made() {
  const checks = ['npm test', 'npm run lint', 'npm run typecheck', 'npm test -- src/part', 'npm run build'];
  const files = Array.from({ length: 400 }, (_, at) => newFile(at));
  let minute = 0;
  for (let session = 1; ; session += 1) {
    const own = Array.from({ length: 3 + Math.floor(random() * 5) }, () => skewed(files));
    let failing = null;
    for (let at = 0; at < 60; at += 1) {
      minute += 1;
      const file = skewed(own);
      const what = random();
      let call;
      if (what < 0.35) call = read(file);
      else if (what < 0.62) call = edit(file);
      else if (what < 0.85) {
        failing = random() < 0.3 ? file : null;
        call = check(skewed(checks), failing, minute);
      } else if (what < 0.94) call = search(file);
      else call = plan(1 + Math.floor(at / 8));
      yield eventOf(call, `session-${session}`, `${session}-${at}`, minute);
    }
  }
}

function newFile(at) {
  const name = `/home/dev/project/src/part${at % 20}/module${at}.ts`;
  const lines = Array.from({ length: 40 + Math.floor(random() * 80) }, (_, line) => newLine(at, line));
  return { name, lines };
}

function newLine(file, line) {
  const word = Math.floor(random() * 1e6).toString(36);
  return line % 12 === 0
    ? `export function handle_${file}_${line}_${word}(input: Request): Response {`
    : `  const ${word}${line} = compute(${word}, input.part${line % 7}, ${Math.floor(random() * 100)});`;
}

function read({ name, lines }) {
  const output = lines.map((line, at) => `${String(at + 1).padStart(6)}→${line}`).join('\n');
  return { tool: 'Read', input: { file_path: name }, output };
}

/** Replaces two lines; every third time the two that were brought last. */
function edit(file) {
  const last = file.edited ?? 0;
  const at = random() < 0.3 ? last : Math.floor(random() * (file.lines.length - 3));
  const before = file.lines.slice(at, at + 3);
  file.lines[at] = newLine(0, 1);
  file.lines[at + 1] = newLine(0, 1);
  file.edited = at;
  const after = file.lines.slice(at, at + 3);
  const input = { file_path: file.name, old_string: before.join('\n'), new_string: after.join('\n') };
  return { tool: 'Edit', input, output: `The file ${file.name} has been updated.` };
}

function check(command, failing, minute) {
  const ran = 900 + Math.floor(minute / 600);
  const noise = Array.from(
    { length: 25 },
    (_, at) => `  ok part${at} (${Math.floor(random() * 90)} ms)`,
  ).join('\n');
  const ended =
    failing === null
      ? `${noise}\n${ran} passed, 0 failed`
      : `Exit code 1\n${noise}\n  error: ${failing.name}:12:3 expected 3 to be 4\n${ran - 1} passed, 1 failed`;
  return {
    tool: 'Bash',
    input: { command, description: 'Check it' },
    output: ended,
    isError: failing !== null,
  };
}

function search({ name, lines }) {
  const pattern = /handle_\w+/.exec(lines[0] ?? '')?.[0] ?? 'handle';
  return { tool: 'Grep', input: { pattern, output_mode: 'content' }, output: `${name}:1:${lines[0]}` };
}

function plan(done) {
  const todos = Array.from({ length: 8 }, (_, at) => ({
    content: `Step ${at + 1} of the work`,
    status: at < done ? 'completed' : 'pending',
  }));
  return { tool: 'TodoWrite', input: { todos }, output: 'Todos have been modified.' };
}

function eventOf({ tool, input, output, isError = false }, sessionId, call, minute) {
  return {
    id: `ev_${call}`,
    tool,
    input,
    output,
    sessionId,
    toolUseId: `call_${call}`,
    ts: new Date(Date.UTC(2025, 0, 1) + minute * 60_000).toISOString(),
    client: 'claude-code',
    isError,
    cwd: '/home/dev/project',
  };
}

/** The first ones more often than the last ones. */
function skewed(list) {
  return list[Math.floor(random() ** 2 * list.length)];
}

/** Mulberry32. */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
