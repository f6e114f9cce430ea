// `npm run demo`: the whole way of a day's work into the memory and back, with the real commands, in temporary
// folders, without a model, a key or a network.
import { randomBytes } from 'node:crypto';
import { readDay, readQuestions } from '../demo/day.mjs';
import { progress, say, show, step, style, title, typed } from '../demo/page.mjs';
import { clear, filesOf, logTail, openStage, run } from '../demo/stage.mjs';
import { ensureBuilt, ensureInstalled } from './ready.mjs';

const questions = readQuestions();
const storedPatienceMs = 60_000;
const secretPieceChars = 12;

const args = process.argv.slice(2);
if (args.some((argument) => argument !== '--keep')) {
  console.error(
    'usage: npm run demo [-- --keep]\n\n  --keep   leave the temporary folders and say where they are',
  );
  process.exit(2);
}
const keep = args.includes('--keep');

const startedMs = performance.now();
ensureInstalled();
ensureBuilt();

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    interrupted = true;
  });
}

const stage = openStage();
let failure = null;
try {
  await play();
} catch (error) {
  failure = error;
}
await end();

async function play() {
  // Made here and now, so that nothing that looks like a key stands in the repository.
  const secret = `hbr-${randomBytes(18).toString('hex')}`;
  const day = readDay({ endsMs: Date.now() - 4 * 60_000, root: stage.project, secret });
  const messages = day.filter(({ isMessage }) => isMessage).length;
  const sessions = new Set(day.map((call) => call.session)).size;
  title('memd: a day of work, remembered');
  say(
    `An assistant spent a day on "harbour", a small service that books berths: ${day.length - messages} tool calls in ` +
      `${sessions} sessions, ${day.filter((call) => call.failed).length} of them failures, and ${messages} messages. The day is invented; ` +
      'hook, daemon, database and search are the real ones. HOME and project are temporary folders.',
  );
  await beginDaemon();
  await capture(day);
  await drain();
  await proveRedaction(day, secret);
  const first = await askQuestions();
  await explain(first);
}

async function beginDaemon() {
  step(1, 'Start');
  await command('memd', ['init']);
  await command('memd', ['start']);
}

async function capture(day) {
  step(2, 'Capture');
  const tookMs = [];
  let queued = 0;
  for (const [at, call] of day.entries()) {
    progress(`${at + 1} of ${day.length}  ${call.ts.slice(11, 16)}  ${call.tool}  ${call.about}`);
    goOn();
    const beganMs = performance.now();
    const { status, stdout, stderr } = await run(stage, 'hook', [], { input: call.json, capture: true });
    tookMs.push(performance.now() - beganMs);
    if (status !== 0) throw new Error(`the hook failed: ${stderr.trim()}`);
    // A prompt's hook prints nothing: its client would add that to the prompt.
    if (call.isMessage ? stderr !== '' : stdout !== '{"ok":true}\n') queued += 1;
  }
  progress('');
  const median = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)];
  say(
    `All ${day.length} calls and messages went through the hook, one process each, as the assistant would run it: ` +
      `${median.toFixed(0)} ms in the median, start of the process included.`,
  );
  if (queued > 0)
    say(`${queued} were over the hook's budget of 250 ms: they were queued, and the daemon takes them in.`);
  await takenIn(day);
}

/** Ends the last session, as its client does, until the daemon has stored all of the day, and each event once. */
async function takenIn(day) {
  const input = JSON.stringify({ hook_event_name: 'SessionEnd', session_id: day.at(-1).session });
  const deadline = performance.now() + storedPatienceMs;
  for (;;) {
    await run(stage, 'pause', [], { input, capture: true });
    const { counts } = await answer('memd', ['info', '--json']);
    if (counts.events === day.length) return;
    if (counts.events > day.length || performance.now() > deadline)
      throw new Error(`${counts.events} events are stored, and the day has ${day.length}`);
  }
}

async function drain() {
  step(3, 'Summarise and embed');
  await command('memd', ['drain']);
  await command('memd', ['info']);
}

/** Looks for the key, and for every piece of it, in the bytes of every file below HOME. */
async function proveRedaction(day, secret) {
  step(4, 'Secrets stay out');
  const calls = day.filter((call) => call.holdsSecret);
  const files = filesOf(stage);
  const pieces = Array.from({ length: secret.length - secretPieceChars + 1 }, (_, at) =>
    secret.slice(at, at + secretPieceChars),
  );
  if (files.some((bytes) => pieces.some((piece) => bytes.includes(piece)))) {
    throw new Error('a piece of the made-up API key is in a file below HOME');
  }
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  say(
    `${calls.length} of the calls contain an invented API key. Neither the key nor any ${secretPieceChars} characters of it ` +
      `are in the ${files.length} files (${(bytes / 1e6).toFixed(1)} MB) that memd has written. It stored this instead:`,
  );
  const { summaries } = await answer('mem', ['recent', '-n', '500', '--json']);
  for (const { toolUseId } of calls) {
    const { id } = summaries.find((summary) => summary.toolUseId === toolUseId) ?? {};
    const { payload } = await answer('mem', ['show', String(id), '--json']);
    const kept = textsIn(payload).find((line) => line.includes('<redacted:'));
    if (kept === undefined) throw new Error(`memory ${id} shows no redacted line`);
    show(around(kept, kept.indexOf('<redacted:')), 'yellow');
  }
}

async function askQuestions() {
  step(5, 'Ask');
  for (const [at, { query, hits, kind }] of questions.entries()) {
    if (at === 0) say('No tool call says why it was SQLite and not Postgres. Only the conversation does:');
    const filter = kind === undefined ? [] : ['--kind', kind];
    await command('mem', ['search', query, '-k', String(hits), ...filter, '--why']);
  }
  const { hits } = await answer('mem', ['search', questions[0].query, '-k', '1', '--json']);
  if (hits.length === 0) throw new Error('the first question found nothing');
  return hits[0].id;
}

async function explain(id) {
  step(6, 'Check the sum of the very first hit');
  await command('mem', ['why', questions[0].query, String(id)]);
}

async function end() {
  progress('');
  if (failure !== null && !interrupted) {
    console.error(`\n${style('red', 'the demonstration failed')}: ${failure.message}`);
    const tail = logTail(stage, 8);
    if (tail.length > 0) console.error(`the end of the daemon's log:\n${tail.join('\n')}`);
  }
  if (interrupted) say('\nInterrupted: cleaning up.');
  const calm = failure === null && !interrupted;
  if (calm) step(7, 'Clean up');
  if (calm) typed(['memd', 'stop']);
  const left = await clear(stage, { keep, capture: !calm });
  if (left.length > 0) console.error(`left behind: ${left.join(', ')}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (keep) sayWhereKept();
  else if (left.length === 0) say('No process and no file is left.');
  if (calm) say(`Done in ${seconds} s. For your own project: ${style('bold', 'memd up')}`);
  process.exitCode = interrupted ? 130 : failure === null && left.length === 0 ? 0 : 1;
}

function sayWhereKept() {
  say(`Kept in ${stage.base}. To look further:`);
  show(`cd ${stage.project}; export HOME=${stage.home} LOCALLLM_HOST=127.0.0.1:4`);
  show(`node ${stage.dist}memd.cjs start; node ${stage.dist}mem.cjs recent; node ${stage.dist}memd.cjs stop`);
}

/** Shows a command and runs it on this terminal. */
async function command(name, words) {
  goOn();
  typed([name, ...words]);
  const { status } = await run(stage, name, words);
  if (status !== 0) throw new Error(`${name} ${words.join(' ')}: exit ${status}`);
}

/** What a command says with `--json`. */
async function answer(name, words) {
  goOn();
  const { status, stdout, stderr } = await run(stage, name, words, { capture: true });
  if (status !== 0) throw new Error(`${name} ${words.join(' ')}: ${stderr.trim() || `exit ${status}`}`);
  return JSON.parse(stdout);
}

function goOn() {
  if (interrupted) throw new Error('interrupted');
}

/** A line from a little before `at` on, so that what stands there is seen. */
function around(line, at) {
  const from = Math.max(line.lastIndexOf(' ', at - 28), line.lastIndexOf(',', at - 28)) + 1;
  return from === 0 ? line : `… ${line.slice(from)}`;
}

function textsIn(value) {
  if (typeof value === 'string') return value.split('\n');
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
