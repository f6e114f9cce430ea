// What each hook costs an assistant: wall and CPU time of the whole process next to `node -e 0`, all in turn in one run, so that the
// machine's moods meet all alike. With the daemon up; hung and gone where a hook has to do with it; and session-start on a daemon that
// answers and on none, which it starts. Prints the tables of docs/research/speed.md. Ratios of one run are what carries over.
// The capture hook is there twice: as `memd install` registers it (a shell script) and as it was and falls back to (Node).
//   npm run bench:hooks    MEMD_DIST (default dist/) names another build, MEMD_AGAINST an older one whose capture hook runs in turn with
//   this one's, MEMD_RUNS (default 40) how often each runs; on a busy machine: under tools that keep it busy
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';
import { configure } from './recorded.mjs';

const runs = Number(process.env.MEMD_RUNS ?? 40);
if (process.env.MEMD_DIST === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const dist = path.resolve(process.env.MEMD_DIST ?? `${root}dist`);
const place = temporaryPlace({ dist });
const session = 'b0000000-0000-4000-8000-000000000001';
const call = (event, tool_name, tool_input) => ({
  ...{ hook_event_name: event, session_id: session, cwd: place.project, tool_name, tool_input },
  ...{ transcript_path: `${place.folder}/t.jsonl`, permission_mode: 'default', tool_use_id: 'toolu_bench' },
});
const post = () => ({
  ...call('PostToolUse', 'Bash', { command: 'ls -la' }),
  tool_use_id: `toolu_${Math.random()}`,
  tool_response: { stdout: 'line of output\n'.repeat(120), stderr: '', interrupted: false },
});
const about = (hook_event_name, more) => () => ({
  hook_event_name,
  session_id: session,
  cwd: place.project,
  ...more,
});
const begins = about('SessionStart', { source: 'startup' });
const write = (file) => () =>
  call('PreToolUse', 'Write', { file_path: `${place.project}/${file}`, content: 'x' });
const bash = () => call('PreToolUse', 'Bash', { command: 'cd src && make test 2>&1 | tail -20' });

const node = process.execPath;
const bare = { name: '`node -e 0`', words: [node, '-e', '0'], payload: () => ({}) };
const hook = (name, script, payload, from = dist) => ({
  name,
  words: [node, `${from}/${script}.cjs`],
  payload,
});
const capture = hook('capture-observation', 'capture-observation', post);
const registered = (name, payload) => ({
  name: `${name}, as installed`,
  words: ['/bin/sh', `${dist}/capture-observation.sh`, node, '--client', 'claude-code'],
  payload,
});
const front = registered('a call', post);
const against = process.env.MEMD_AGAINST;
const before =
  against === undefined
    ? []
    : [hook('capture-observation of the build before', 'capture-observation', post, path.resolve(against))];
let prompts = 0;
const prompt = registered('a prompt', () => {
  prompts += 1;
  const text = `Why does test ${prompts} of the mill fail? `.repeat(20);
  return about('UserPromptSubmit', { prompt: text, prompt_id: `p${prompts}` })();
});
const pause = hook('session-pause', 'session-pause', about('SessionEnd', { reason: 'other' }));
const guard = hook('guard', 'guard', bash);
const boundary = (name, payload) => hook(`boundary, ${name}`, 'boundary', payload);
const complaint = "mill: unrecognized subcommand 'grind-all'";
const failed = (command, error) => () => ({
  ...call('PostToolUseFailure', 'Bash', { command }),
  ...{ session_id: `session-${Math.random()}`, error: `Exit code 2\n${error}` },
});
const recall = [
  hook('recall, silent', 'recall', failed('mill sweep', 'mill: the floor is wet, cannot sweep')),
  hook('recall, with a fix', 'recall', failed('mill grind-all ears', complaint)),
];

try {
  console.log(
    `${os.cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, N = ${runs}\n`,
  );
  configure(place, { 'inject.recall': 'failures' });
  place.memd('start');
  await rememberFix();
  for (let at = 0; at < 20; at += 1) await timed(capture);
  place.memd('drain');
  const start = hook('session-start, healthy daemon', 'session-start', begins);
  await table(
    'daemon up',
    [bare, front, prompt, capture, ...before, boundary('no rules', bash), guard, pause, start, ...recall],
    runs,
  );
  fs.mkdirSync(`${place.project}/.memd`);
  fs.writeFileSync(`${place.project}/.memd/scope.json`, '{"allow": ["src/**"]}');
  const ruled = [boundary('a write let through', write('src/a')), boundary('a command let through', bash)];
  await table('with rules', [bare, ...ruled, boundary('a write denied', write('a'))], runs);
  const pid = daemonPid();
  process.kill(pid, 'SIGSTOP');
  await table('daemon hung', [bare, front, prompt, capture, ...before, pause], Math.min(runs, 10));
  process.kill(pid, 'SIGCONT');
  place.memd('stop');
  await table('daemon gone', [bare, front, prompt, capture, ...before, guard, pause], runs);
  await table(
    'none, which it starts',
    [bare, { ...start, name: 'session-start', after: kill }],
    Math.min(runs, 10),
  );
} finally {
  place.end();
}

/** A session of days ago, in which a command failed and another line worked. */
async function rememberFix() {
  const line = openLine(place.socket());
  const steps = [
    ['mill grind-all ears', `Exit code 2\n${complaint}`],
    ['mill grind --all ears', 'ground'],
  ];
  for (const [at, [command, output]] of steps.entries()) {
    const [ts, isError] = [`2026-01-05T09:0${at}:00.000Z`, at === 0];
    const run = { tool: 'Bash', input: { command }, output, isError, ts, toolUseId: `fix-${at}` };
    await line.ask({ op: 'capture', ...run, sessionId: 'days-ago', client: 'claude-code' });
  }
  line.close();
}

/** Runs the hooks in turn, `count` times, and prints a row for each. */
async function table(title, hooks, count) {
  const times = hooks.map(() => []);
  for (let run = 0; run < count; run += 1) {
    for (const [index, one] of hooks.entries()) {
      times[index].push(await timed(one));
      await one.after?.();
    }
  }
  const rows = times.map((one) => ({
    p50: quantile(
      one.map(({ wall }) => wall),
      0.5,
    ),
    p90: quantile(
      one.map(({ wall }) => wall),
      0.9,
    ),
    cpu: quantile(
      one.map(({ cpu }) => cpu),
      0.5,
    ),
  }));
  console.log(`| ${title} | p50 | p90 | p50 of \`node -e 0\` | CPU, p50 |\n|---|---|---|---|---|`);
  for (const [index, { p50, p90, cpu }] of rows.entries()) {
    const ratio = (p50 / (rows[0]?.p50 ?? 1)).toFixed(2);
    console.log(`| ${hooks[index]?.name} | ${p50} ms | ${p90} ms | ${ratio} x | ${cpu} ms |`);
  }
  console.log('');
}

/** Wall and CPU time (user and system) of one run in ms, as the shell reports it, which waits for nothing else. */
async function timed({ words, payload }) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$0" "$@" >/dev/null 2>&1';
  const child = spawn('bash', ['-c', script, ...words], {
    cwd: place.project,
    env: place.env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(payload()));
  await new Promise((resolve) => child.on('close', resolve));
  const [wall, user, system] = said.trim().split(' ').map(Number);
  return { wall: Math.round(wall * 1_000), cpu: Math.round((user + system) * 1_000) };
}

function daemonPid() {
  const workspaces = `${place.folder}/home/.memd/default/workspaces`;
  return Number(fs.readFileSync(`${workspaces}/${fs.readdirSync(workspaces)[0]}/run.pid`, 'utf8'));
}

/** Ends the daemon that a session's start has begun, so that the next one finds none. */
async function kill() {
  const pid = daemonPid();
  process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
