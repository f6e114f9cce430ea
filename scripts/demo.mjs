// `npm run demo`: the whole way of a day's work into the memory and back, with the real commands, in temporary
// folders, without a model, a key or a network.
import { randomBytes } from 'node:crypto';
import { readDay, readQuestions } from '../demo/day.mjs';
import { progress, say, show, step, style, title, typed } from '../demo/page.mjs';
import { clear, daemonPid, filesOf, leaveFile, logTail, openStage, run } from '../demo/stage.mjs';
import { ensureBuilt, ensureInstalled } from './ready.mjs';

const questions = readQuestions();
const [{ query: question }] = questions;
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
ensureInstalled({ toBuild: true });
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
  title('memd: a day of work, remembered');
  say(
    `An assistant's day on "harbour", a service that books berths: ${day.length} calls and messages. The day is invented; ` +
      'hook, daemon, database and search are real.',
  );
  await quietly('memd', ['init']);
  await quietly('memd', ['start']);
  await capture(day);
  await quietly('memd', ['drain']);
  const id = await ask();
  await killAndAskAgain();
  await proveRedaction(day, secret);
  step(4, 'Why is that the first hit?');
  await command('mem', ['why', question, String(id)]);
  step(5, 'The page');
  const { http } = await answer('memd', ['info', '--json']);
  say(`${http.url}/ showed all of it; \`memd web\` opens your project's.`);
}

/** Each goes through the hook, one process each, as the assistant would run it. What a call wrote is written in the project. */
async function capture(day) {
  for (const [at, call] of day.entries()) {
    progress(`${at + 1} of ${day.length}  ${call.ts.slice(11, 16)}  ${call.tool}  ${call.about}`);
    goOn();
    leaveFile(stage, call);
    const { status, stderr } = await run(stage, 'hook', [], { input: call.json, capture: true });
    if (status !== 0) throw new Error(`the hook failed: ${stderr.trim()}`);
  }
  progress('');
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

async function ask() {
  step(1, 'Ask: no tool call says it, only the conversation does');
  await command('mem', ['search', question, '-k', '1']);
  const { hits } = await answer('mem', ['search', question, '-k', '1', '--json']);
  if (hits.length === 0) throw new Error('the first question found nothing');
  return hits[0].id;
}

async function killAndAskAgain() {
  step(2, 'Kill the daemon, and ask again');
  const pid = daemonPid(stage);
  typed(['kill', '-9', String(pid)], { isSilent: true });
  process.kill(pid, 'SIGKILL');
  await command('memd', ['start']);
  await command('mem', ['search', question, '-k', '1', '--oneline']);
  // The edit of that decision is in its file, as it was written.
  await command('mem', ['search', questions[1].query, '-k', '1', '--kind', 'call']);
}

/** Looks for the key, and for every piece of it, in the bytes of every file below HOME. */
async function proveRedaction(day, secret) {
  step(3, 'A secret that was never stored');
  const calls = day.filter((call) => call.holdsSecret);
  const files = filesOf(stage);
  const pieces = Array.from({ length: secret.length - secretPieceChars + 1 }, (_, at) =>
    secret.slice(at, at + secretPieceChars),
  );
  if (files.some((bytes) => pieces.some((piece) => bytes.includes(piece)))) {
    throw new Error('a piece of the made-up API key is in a file below HOME');
  }
  say(
    `${calls.length} of the calls contain an invented API key. No ${secretPieceChars} characters of it are in the ` +
      `${files.length} files that memd has written, but this:`,
  );
  const { summaries } = await answer('mem', ['recent', '-k', '500', '--json']);
  const { id } = summaries.find((summary) => summary.toolUseId === calls[0].toolUseId) ?? {};
  const { payload } = await answer('mem', ['show', String(id), '--json']);
  const kept = textsIn(payload).find((line) => line.includes('<redacted:'));
  if (kept === undefined) throw new Error(`memory ${id} shows no redacted line`);
  show(around(kept, kept.indexOf('<redacted:')), 'yellow');
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
  const left = await clear(stage, { keep });
  if (left.length > 0) console.error(`left behind: ${left.join(', ')}`);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (keep) sayWhereKept();
  const isClean = !keep && left.length === 0;
  const done = [`Done in ${seconds} s.`, isClean && 'No process and no file is left.'].filter(Boolean);
  if (calm) say(`${done.join(' ')}\nFor your own project: ${style('bold', 'npm run setup -- FOLDER')}`);
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

/** Runs a command whose words say nothing new. */
async function quietly(name, words) {
  goOn();
  const { status, stdout, stderr } = await run(stage, name, words, { capture: true });
  if (status !== 0) throw new Error(`${name} ${words.join(' ')}: ${stderr.trim() || `exit ${status}`}`);
  return stdout;
}

/** What a command says with `--json`. */
async function answer(name, words) {
  return JSON.parse(await quietly(name, words));
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
