// What is kept of an assistant's calls and messages on a busy machine, by the hooks as `memd install` registers them: with the daemon up,
// stopped, hung and killed in the middle, while endless loops keep the processors busy. Each event must be stored once and whole. Wall and
// processor time of a hook stand next to `node -e 0` in turn.
//   npm run bench:busy    MEMD_DIST names another build, MEMD_LOADS (default 0,2,4) the loops for each processor, MEMD_CALLS (200) and
//   MEMD_MESSAGES (100) how many events, MEMD_AT_ONCE (4) how many hooks run at the same time
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { busyLoops, quantile, temporaryPlace } from './place.mjs';

if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = path.resolve(process.env.MEMD_DIST ?? `${root}dist`);
const numberOf = (name, usual) => Number(process.env[name] ?? usual);
const [calls, messages] = [numberOf('MEMD_CALLS', 200), numberOf('MEMD_MESSAGES', 100)];
const atOnce = numberOf('MEMD_AT_ONCE', 4);
const loads = (process.env.MEMD_LOADS ?? '0,2,4').split(',').map(Number);
const states = (process.env.MEMD_STATES ?? 'up,stopped,hung,killed').split(',');
const clients = ['claude-code', 'codex', 'gemini-cli'];
const settleMs = 120_000;
const mark = 'left out by memd';

console.log(
  `${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, ${calls} calls and ${messages} messages of ${clients.length} clients, ${atOnce} hooks at once\n`,
);
console.log(
  '| loops | daemon | stored whole | lost | doubled | placeholders | wall p50, p90 | of `node -e 0` | CPU | acknowledged p50, p99 |\n|---|---|---|---|---|---|---|---|---|---|',
);
for (const load of loads) for (const state of states) await oneRow(load, state);

async function oneRow(load, state) {
  const place = temporaryPlace({ dist });
  const hogs = busyLoops(load * os.cpus().length);
  try {
    place.memd('init');
    place.memd('start');
    const pid = daemonPid(place);
    if (state === 'stopped') place.memd('stop');
    if (state === 'hung') process.kill(pid, 'SIGSTOP');
    const events = eventsOf(place);
    const { hooks, bare } = await runAll(place, events, (done) => {
      if (state === 'killed' && done === Math.floor(events.length / 2)) process.kill(pid, 'SIGKILL');
    });
    if (state === 'hung') process.kill(pid, 'SIGCONT');
    if (state === 'stopped' || state === 'killed') place.memd('start');
    const kept = await settled(place, events);
    const p = (values, q) => Math.round(quantile(values, q));
    const ratio = (of) =>
      (quantile(hooks.map(of), 0.5) / Math.max(1, quantile(bare.map(of), 0.5))).toFixed(2);
    const acknowledged = hooks.filter(({ out }) => out.includes('"ok":true')).map(({ wall }) => wall);
    const wall = hooks.map((one) => one.wall);
    console.log(
      `| ${load} | ${state} | ${kept.whole} of ${events.length} | ${kept.lost} | ${kept.doubled} | ${kept.placeholders} | ${p(wall, 0.5)}, ${p(wall, 0.9)} ms | ${ratio((one) => one.wall)} x | ${ratio((one) => one.cpu)} x | ${acknowledged.length === 0 ? '-' : `${acknowledged.length}: ${p(acknowledged, 0.5)}, ${p(acknowledged, 0.99)} ms`} |`,
    );
    if (kept.missing.length > 0) console.log(`  missing: ${kept.missing.slice(0, 5).join(', ')}`);
  } finally {
    for (const hog of hogs) hog.kill('SIGKILL');
    place.end();
  }
}

/** Every event has a word of its own at its beginning and its end; some texts are longer than what is stored. */
function eventsOf(place) {
  const all = [];
  for (let at = 0; at < calls + messages; at += 1) {
    const client = clients[at % clients.length];
    const word = `word${at}x`;
    const text = `begin-${word} ${'line of output\n'.repeat(at % 10 === 0 ? 4_000 : 100)} end-${word}`;
    const payload = at < calls ? callOf(client, at, text, place) : messageOf(client, at, text, place);
    all.push({ client, word, payload });
  }
  return all.sort((a, b) => a.word.length - b.word.length || (a.word < b.word ? -1 : 1));
}

function session(client) {
  return `b0000000-0000-4000-8000-00000000000${clients.indexOf(client)}`;
}

function callOf(client, at, text, { project }) {
  const common = { session_id: session(client), cwd: project };
  const input = { command: `make part-${at}` };
  if (client === 'gemini-cli') {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
    const tool_response = { llmContent: text, returnDisplay: text };
    return {
      ...common,
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: input,
      tool_response,
      timestamp,
    };
  }
  const tool_response = client === 'codex' ? text : { stdout: text, stderr: '', interrupted: false };
  return {
    ...common,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: input,
    tool_response,
    tool_use_id: `call_${at}`,
  };
}

function messageOf(client, at, text, { project }) {
  const common = { session_id: session(client), cwd: project };
  if (client === 'gemini-cli') {
    const timestamp = new Date(Date.UTC(2026, 1, 1) + at * 60_000).toISOString();
    return { ...common, hook_event_name: 'BeforeAgent', prompt: text, timestamp };
  }
  if (at % 2 === 0)
    return {
      ...common,
      hook_event_name: 'UserPromptSubmit',
      prompt: text,
      prompt_id: `p${at}`,
      turn_id: `p${at}`,
    };
  return {
    ...common,
    hook_event_name: 'Stop',
    last_assistant_message: text,
    prompt_id: `p${at}`,
    turn_id: `p${at}`,
  };
}

async function runAll(place, events, after) {
  const [hooks, bare] = [[], []];
  let next = 0;
  const worker = async () => {
    while (next < events.length) {
      const at = next;
      next += 1;
      const { client, payload } = events[at];
      hooks.push(await timed(place, wordsOf(client), JSON.stringify(payload)));
      if (at % 5 === 0) bare.push(await timed(place, [process.execPath, '-e', '0'], ''));
      after(hooks.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { hooks, bare };
}

/** The command that this build's `memd install` registers. */
function wordsOf(client) {
  const script = `${dist}/capture-observation.sh`;
  if (fs.existsSync(script)) return ['/bin/sh', script, process.execPath, '--client', client];
  return [process.execPath, `${dist}/capture-observation.cjs`, '--client', client];
}

/** Wall and CPU time (user and system) of one run in ms, as the shell reports it. */
function timed(place, words, input) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" 2>/dev/null; } 2>&3';
  const child = spawn('bash', ['-c', script, ...words], {
    cwd: place.project,
    env: place.env,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  });
  let [out, said] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stdio[3].on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) =>
    child.on('close', () => {
      const [wall, user, system] = said.trim().split(' ').map(Number);
      resolve({ wall: wall * 1_000, cpu: (user + system) * 1_000, out });
    }),
  );
}

/** What is stored once all is there or nothing has come for a long time. */
async function settled(place, events) {
  const deadline = Date.now() + settleMs;
  for (;;) {
    const rows = storedIn(place);
    const of = (word) => rows.filter((row) => row.includes(`begin-${word} `));
    const whole = events.filter(({ word }) => of(word).some((row) => row.includes(`end-${word}`)));
    if (whole.length === events.length || Date.now() > deadline) {
      return {
        whole: whole.length,
        lost: events.length - whole.length,
        doubled: events.filter(({ word }) => of(word).length > 1).length,
        placeholders: rows.filter((row) => row.includes(mark)).length,
        missing: events
          .filter((one) => !whole.includes(one))
          .map(({ word, client }) => `${word} (${client})`),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function storedIn(place) {
  const database = new DatabaseSync(path.join(path.dirname(place.socket()), 'db.sqlite'), {
    readOnly: true,
    timeout: 5_000,
  });
  try {
    return database
      .prepare('SELECT payload_json FROM events')
      .all()
      .map((row) => row.payload_json);
  } finally {
    database.close();
  }
}

function daemonPid(place) {
  return Number(fs.readFileSync(path.join(path.dirname(place.socket()), 'run.pid'), 'utf8'));
}
