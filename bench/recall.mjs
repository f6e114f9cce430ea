// How often recall speaks, how long it takes, and, with labels, how often it is right: real sessions in the order of time, each failed
// command asked about as of its moment, over the socket of a real daemon.
//   npm run bench:recall -- [--half dev|test|all] [--out FILE] [--labels FILE] [--from FILE] [--dist FOLDER]
//     --half    the sessions asked about, by a hash of their ids: `dev` to make rules on, `test` to label (all); all are remembered
//     --out     where everything that was said goes, one JSON object a line, for a person to label (the system's temporary folder)
//     --labels  {"repository id": "right" | "useless" | "wrong"}: prints how many of what was said were right
//     --from    what an earlier run wrote, in place of a run
//     --dist    the build to measure (dist/, built when it is out of date)
// MEMD_DATA (default ../shared/data) holds transcripts, and code-memory with further sessions of the same repositories.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { openLine, quantile, temporaryPlace } from './place.mjs';
import { configure, furtherCalls, repositories, transcripts } from './recorded.mjs';
import { wilson } from './told/wilson.mjs';

const { values: flags } = parseArgs({
  options: {
    half: { type: 'string', default: 'all' },
    out: { type: 'string', default: path.join(os.tmpdir(), 'memd-recall-said.jsonl') },
    labels: { type: 'string' },
    from: { type: 'string' },
    dist: { type: 'string' },
  },
});
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);

if (!fs.existsSync(`${data}/transcripts`)) {
  console.log('skipped: no data');
  process.exit(0);
}
if (path.resolve(flags.out).startsWith(root))
  throw new Error('--out: what sessions said stays outside the repository');
// A build that was named, or an earlier run, needs nothing here; a linked folder of packages must not be installed into.
if (flags.dist === undefined && flags.from === undefined) {
  ensureInstalled();
  ensureBuilt();
}
await main();

async function main() {
  const labels = flags.labels === undefined ? null : JSON.parse(fs.readFileSync(flags.labels, 'utf8'));
  if (flags.from !== undefined && labels !== null) return reportLabels(readLines(flags.from), labels);
  const said = [];
  console.log(`machine: ${os.cpus().length} cores, Node ${process.version}; half: ${flags.half}`);
  for (const name of Object.keys(repositories)) said.push(...(await replay(name)));
  fs.writeFileSync(flags.out, said.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
  console.log(`said: ${said.length}, written to ${flags.out}`);
  if (labels !== null) reportLabels(said, labels);
}

function readLines(file) {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function replay(name) {
  const place = temporaryPlace({ dist: path.resolve(flags.dist ?? `${root}dist`) });
  try {
    configure(place, { 'inject.recall': 'failures' });
    place.memd('start');
    const line = openLine(place.socket());
    const ask = async (request) => {
      const reply = await line.ask(request);
      if (reply.ok) return reply;
      throw new Error(`${request.op}: ${JSON.stringify(reply.error)}`);
    };
    place.memd('backfill', '--from', transcripts(data, name, place.folder));
    for (const call of furtherCalls(data, name)) await ask({ op: 'capture', ...call });
    const { firstError } = await ask({ op: 'drain' });
    if (firstError !== undefined) throw new Error(`drain: ${firstError}`);
    const asked = await askAll(ask, name, callsOf(place.socket()));
    line.close();
    return asked;
  } finally {
    place.end();
  }
}

/** Every captured call in the order of time, as it is stored. */
function callsOf(socket) {
  const database = new DatabaseSync(path.join(path.dirname(socket), 'db.sqlite'), { readOnly: true });
  const sql = `SELECT s.id, e.ts, e.session_id, e.is_error, e.payload_json FROM events e JOIN summaries s ON s.event_id = e.id
    ORDER BY e.ts, e.seq`;
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row, payload: JSON.parse(row.payload_json) }));
  } finally {
    database.close();
  }
}

async function askAll(ask, name, calls) {
  let failures = 0;
  const sessions = new Set();
  const answered = new Set();
  const ms = [];
  const said = [];
  for (const { id, ts, session_id: sessionId, is_error: isError, payload } of calls) {
    if (flags.half !== 'all' && halfOf(sessionId) !== flags.half) continue;
    sessions.add(sessionId);
    const { tool, input, output, cwd } = payload;
    if (isError === 0 || tool !== 'Bash') continue;
    failures += 1;
    const started = performance.now();
    const { memories, text } = await ask({
      op: 'recall',
      event: 'failure',
      tool,
      input,
      output,
      sessionId,
      cwd,
      asOf: ts,
    });
    ms.push(performance.now() - started);
    if (text === '') continue;
    answered.add(sessionId);
    said.push({
      key: `${name} ${id}`,
      half: halfOf(sessionId),
      ts,
      sessionId,
      tool,
      input,
      output,
      text,
      why: memories.map(({ why }) => why),
    });
  }
  const per100 = ((100 * said.length) / Math.max(1, failures)).toFixed(1);
  console.log(
    `${name}: ${calls.length} calls remembered; ${sessions.size} sessions asked for, spoken to ${answered.size}; ` +
      `failures ${said.length} of ${failures} (${per100} in 100); ` +
      `asking took p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms, longest ${Math.max(...ms).toFixed(1)} ms`,
  );
  return said;
}

function halfOf(sessionId) {
  return createHash('sha256').update(sessionId).digest()[0] % 2 === 0 ? 'dev' : 'test';
}

function reportLabels(said, labels) {
  const groups = { all: said };
  for (const half of ['dev', 'test']) groups[half] = said.filter((one) => one.half === half);
  for (const one of said) {
    const kind = one.why.at(-1);
    groups[kind] = [...(groups[kind] ?? []), one];
  }
  for (const [name, of] of Object.entries(groups)) {
    const known = of.map(({ key }) => labels[key]).filter((label) => label !== undefined);
    const count = (label) => known.filter((one) => one === label).length;
    if (known.length === 0) continue;
    const [low, high] = wilson(count('right'), known.length);
    console.log(
      `${name}: ${known.length} of ${of.length} labelled, right ${count('right')}, useless ${count('useless')}, wrong ${count('wrong')}; ` +
        `precision ${(count('right') / known.length).toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`,
    );
  }
}
