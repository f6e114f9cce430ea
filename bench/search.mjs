// How well a search finds what was asked for: queries with known answers, on calls captured by a real daemon, next to a
// word search and plain BM25 over the raw calls, with each leg alone, the fusion of them, and the fusion with decay.
//   npm run bench:search -- [--set NAME] [--backend builtin|local|hosted] [--worst N] [--json FILE] [--against FILE]
//                           [--config JSON] [--dist FOLDER]
//     --set      only this one of `questions` (ships with the repository), `code-memory`, `locomo`, `talk`, `commits`;
//                more than once: these
//     --backend  what summarises (builtin); local takes LOCALLLM_HOST, hosted HOSTEDLLM_API_KEY from the environment
//     --worst    so many of the queries that were answered worst, with what was expected and what came (10)
//     --json     writes the figures of every query, for a later run to be held against
//     --against  prints the differences to such a file, query by query, with their intervals
//     --config   settings of the daemon by their dotted names, e.g. '{"search.rrfK": 20}'; a hosted backend wants
//                its hostedllm.dailyTokenBudget raised here
//     --dist     the build to measure (dist/, built when it is out of date)
// MEMD_DATA (default ../shared/data) holds code-memory, locomo, talk and transcripts; without it they are skipped.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../scripts/ready.mjs';
import { RawIndex } from './search/baselines.mjs';
import { measureCommits, reportCommits } from './search/commits.mjs';
import { openBackfilled, openMemory } from './search/load.mjs';
import { figuresOf } from './search/metrics.mjs';
import { ordersOf } from './search/orders.mjs';
import { reportAgainst, reportSet } from './search/report.mjs';
import { sets } from './search/sets.mjs';
import { measureTalk, reportTalk, talkRows } from './search/talk.mjs';

const { values: flags } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [...Object.keys(sets), 'talk', 'commits'] },
    backend: { type: 'string', default: 'builtin' },
    worst: { type: 'string', default: '10' },
    json: { type: 'string' },
    against: { type: 'string' },
    config: { type: 'string', default: '{}' },
    dist: { type: 'string' },
  },
});
for (const name of flags.set)
  if (!['talk', 'commits'].includes(name) && !Object.hasOwn(sets, name))
    refuse(`--set ${name}: none of ${Object.keys(sets).join(', ')}, talk, commits`);
if (!['builtin', 'local', 'hosted'].includes(flags.backend)) refuse(`--backend ${flags.backend}: not known`);
if (!/^\d+$/.test(flags.worst)) refuse(`--worst ${flags.worst}: not a number`);

// A build that was named has what it needs next to it; nothing here is touched for it.
if (flags.dist === undefined) {
  ensureInstalled();
  ensureBuilt();
}
const settings = {
  backend: flags.backend,
  config: JSON.parse(flags.config),
  dist: path.resolve(flags.dist ?? `${root}dist`),
};
const data = path.resolve(process.env.MEMD_DATA ?? `${root}../shared/data`);
const before = flags.against === undefined ? null : JSON.parse(fs.readFileSync(flags.against, 'utf8'));

await main();

async function main() {
  const started = performance.now();
  const date = new Date().toISOString().slice(0, 10);
  console.log(
    `machine: ${os.cpus().length} cores, Node ${process.version}, ${date}; backend ${flags.backend}`,
  );
  const results = [];
  const skipped = [];
  for (const name of flags.set) {
    if (name === 'talk') {
      const talk = await measureTalk(data, (folder) => openBackfilled(folder, settings));
      if (talk === null) skipped.push(name);
      else {
        reportTalk(talk);
        results.push(...talkRows(talk));
      }
      continue;
    }
    if (name === 'commits') {
      const commits = await measureCommits(data, (folder) => openBackfilled(folder, settings));
      if (commits === null) skipped.push(name);
      else {
        reportCommits(commits);
        results.push(...commits);
      }
      continue;
    }
    const workspaces = sets[name](data);
    if (workspaces === null) {
      skipped.push(name);
      continue;
    }
    const measured = [];
    for (const workspace of workspaces) measured.push(await measure(workspace));
    reportSet(name, measured, Number(flags.worst));
    results.push(...measured.flatMap(({ queries }) => queries.map((query) => ({ set: name, ...query }))));
  }
  if (skipped.length > 0) console.log(`\n${skipped.join(', ')}: skipped: no data`);
  if (before !== null) reportAgainst(before.queries, results);
  if (flags.json !== undefined)
    save(flags.json, { date, backend: flags.backend, config: settings.config }, results);
  console.log(`\ntook ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** Loads one workspace, asks all its queries, and returns how each system answered each. */
async function measure({ name, calls, queries }) {
  const index = new RawIndex(calls);
  const memory = await openMemory(calls, settings);
  try {
    const answers = [];
    for (const query of queries) answers.push(answerOf(name, query, await ordersOf(query, index, memory)));
    const { counts, backends, captureMs, drainMs, textOf } = memory;
    return { name, calls: calls.length, counts, backends, captureMs, drainMs, textOf, queries: answers };
  } finally {
    memory.close();
  }
}

function answerOf(workspace, query, { orders, ms }) {
  const figures = Object.fromEntries(
    Object.entries(orders).map(([system, order]) => [system, figuresOf(query, order)]),
  );
  return { workspace, query, ms, figures, orders };
}

/** What another run needs, without any text of the calls. */
function save(file, about, results) {
  const queries = results.map(({ set, workspace, query: { qid, kind }, ms, figures }) => {
    return { set, workspace, qid, kind, ms, figures };
  });
  fs.writeFileSync(file, JSON.stringify({ ...about, queries }));
}

function refuse(why) {
  console.error(`bench:search: ${why}`);
  process.exit(2);
}
