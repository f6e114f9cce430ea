// When memory would speak unasked within a session: sessions in the order of time, each moment knowing only what was before.
// Asks today's recall after each failed command, and candidate rules that are not built (bench/told/), and counts how often
// each would speak. For a person to read: every case, with what it would name and how the moment ended.
//   npm run bench:told -- [DATA] [--out FILE] [--labels FILE] [--kept FOLDER] [--dist FOLDER]
//     DATA      a folder with transcripts/ and sessions/ (a few made-up sessions of its own)
//     --out     where the cases go, one JSON object a line (the system's temporary folder)
//     --labels  {"key": "right" | "useless" | "wrong"} by a case's `key` or its `cause`: prints the shares
//     --kept    databases of an earlier run, or where they stay
//     --dist    the build that lays the sessions (dist/, built when it is out of date)
// docs/research/recall.md has the figures.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { ownSessions } from './told/corpus.mjs';
import { lay, projectsOf } from './told/lay.mjs';
import { loadReaders, recordsOf } from './told/records.mjs';
import { commandAgain, isAlike, isTold } from './told/rules.mjs';
import { spawnOutline } from './told/spawn-rules.mjs';
import {
  corrections,
  editDecision,
  promptAgain,
  promptDecision,
  promptFailure,
  promptFile,
  standingRules,
} from './told/talk-rules.mjs';
import { wilson } from './told/wilson.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: path.join(os.tmpdir(), 'memd-told-cases.jsonl') },
    ...{ labels: { type: 'string' }, kept: { type: 'string' }, dist: { type: 'string' } },
  },
});
const data = positionals[0] === undefined ? null : path.resolve(positionals[0]);
if (path.resolve(flags.out).startsWith(root))
  throw new Error('--out: what sessions said stays outside the repository');
if (flags.dist === undefined) {
  ensureInstalled();
  ensureBuilt();
}
/** What each candidate rule counts its moments by. */
const rules = {
  'command again, any': { rule: commandAgain, of: 'command' },
  'command again, gated': { rule: commandAgain, of: 'command', gate: isTold },
  'prompt with a failure': { rule: promptFailure, of: 'prompt' },
  'prompt with a file': { rule: promptFile, of: 'prompt' },
  'prompt with a decision': { rule: promptDecision, of: 'prompt' },
  'prompt again': { rule: promptAgain, of: 'prompt' },
  'edit with a decision': { rule: editDecision, of: 'edit' },
  correction: { rule: corrections, of: 'prompt' },
  'standing rule': { rule: standingRules, of: 'prompt' },
  'sub-agent with a failure': { rule: (records) => promptFailure(records, 'spawn'), of: 'spawn' },
  'sub-agent with a file': { rule: (records) => promptFile(records, 'spawn'), of: 'spawn' },
  'sub-agent with a decision': { rule: (records) => promptDecision(records, 'spawn'), of: 'spawn' },
  'sub-agent again': { rule: (records) => promptAgain(records, 'spawn'), of: 'spawn' },
  'sub-agent, two lines': { of: 'spawn' },
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-told-'));
try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function main() {
  const readers = await loadReaders(folder);
  const cases = [];
  const moments = { command: 0, prompt: 0, edit: 0, failure: 0, spawn: 0 };
  const sessions = new Set();
  for (const project of data === null ? ['own'] : projectsOf(data)) {
    const file = await databaseOf(project);
    const store = readers.openStore(file);
    const records = recordsOf(readers, store);
    for (const { session, what, failed } of records) {
      sessions.add(`${project} ${session}`);
      if (what in moments) moments[what] += 1;
      if (what === 'command' && failed) moments.failure += 1;
    }
    const said = [...recalled(readers, store, records)];
    const outline = spawnOutline(readers, file, `${folder}/earlier.sqlite`);
    for (const [kind, { rule = outline, gate }] of Object.entries(rules))
      said.push(...once(kind, rule(records), gate));
    for (const one of said) cases.push({ key: `${project} ${one.kind} ${one.id}`, project, ...one });
    store.close();
    const counts = [...byKind(said)].map(([kind, of]) => `${kind} ${of.length}`);
    console.log(`${project}: ${records.length} events; ${counts.join(', ')}`);
  }
  fs.writeFileSync(flags.out, cases.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
  report(cases, moments, sessions.size);
}

function byKind(cases) {
  const kinds = new Map();
  for (const one of cases) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return kinds;
}

/** A database of its own for this run. */
async function databaseOf(project) {
  const file = `${folder}/${project}.sqlite`;
  const kept = flags.kept === undefined ? null : path.join(path.resolve(flags.kept), `${project}.sqlite`);
  if (kept !== null && fs.existsSync(kept)) fs.copyFileSync(kept, file);
  else {
    const dist = path.resolve(flags.dist ?? `${root}dist`);
    await lay({ data, project, dist, file, own: data === null ? ownSessions() : [] });
    if (kept !== null) fs.copyFileSync(file, kept);
  }
  return file;
}

/** Today's recall, by the code that a daemon runs. */
function* recalled(readers, store, records) {
  const receipts = new readers.Receipts(store);
  const recall = new readers.Recall(store, 'failures', receipts);
  for (const record of records) {
    if (record.what !== 'command' || !record.failed) continue;
    const { memories, text } = recall.ask({ call: record.payload, asOf: record.ts });
    if (text === '') continue;
    const { sessionId } = record.payload;
    receipts.gave({ kind: 'recall', sessionId, server: '', ids: memories.map(({ id }) => id) });
    const cause = record.complaints[0]?.kind;
    yield { kind: 'recall after a failure', ...shown(record), cause, says: text, why: memories.at(-1).why };
  }
  receipts.flush();
}

/** Each memory once per session, as the gate of the daemon does. */
function* once(kind, found, gate = () => true) {
  const told = new Set();
  for (const { record, from = record, ...more } of found) {
    const cause = more.name ?? from.complaints?.[0]?.kind ?? more.said ?? from.text;
    const key = `${record.session} ${cause}`;
    if (told.has(key) || !gate({ record, from, ...more })) continue;
    told.add(key);
    const before = { id: from.id, ts: from.ts, summary: from.summary };
    const fix = more.fix === undefined || more.fix === null ? null : more.fix.passed.command;
    const again = record.what === 'command' ? isAlike(record, from) : undefined;
    yield { kind, ...shown(record), cause, before, fix, again, said: more.said };
  }
}

function shown({ id, ts, session, command, text, files, output }) {
  const now = command ?? text ?? files?.join(' ') ?? '';
  return { id, ts, session, now: now.slice(0, 600), output: output?.slice(0, 300) };
}

function report(cases, moments, sessions) {
  const labels = flags.labels === undefined ? {} : JSON.parse(fs.readFileSync(flags.labels, 'utf8'));
  console.log(
    `${sessions} sessions, ${moments.prompt} prompts, ${moments.command} commands (${moments.failure} failed), ${moments.edit} edits, ${moments.spawn} sub-agents`,
  );
  for (const [kind, of] of byKind(cases)) {
    const all = moments[rules[kind]?.of ?? 'failure'];
    const spoken = new Set(of.map(({ project, session }) => `${project} ${session}`)).size;
    const causes = new Map(of.map((one) => [`${one.project} ${one.cause}`, one]));
    const again = of.filter((one) => one.again === true).length;
    console.log(
      `${kind}: ${of.length} of ${all} moments (${((100 * of.length) / Math.max(1, all)).toFixed(1)} %), in ${spoken} sessions, ` +
        `${causes.size} causes${of[0].again === undefined ? '' : `; it ended so again: ${again}`}`,
    );
    shares('  by moment', of, labels);
    shares('  by cause', [...causes.values()], labels);
  }
}

function shares(name, of, labels) {
  const known = of.flatMap(({ key, cause, kind }) => labels[key] ?? labels[`${kind}: ${cause}`] ?? []);
  if (known.length === 0) return;
  const count = (label) => known.filter((one) => one === label).length;
  const [low, high] = wilson(count('right'), known.length);
  console.log(
    `${name}: ${known.length} of ${of.length} read, right ${count('right')}, useless ${count('useless')}, wrong ${count('wrong')}; ` +
      `${(count('right') / known.length).toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`,
  );
}
