/**
 * Checks what make.mjs wrote and says how hard it is for plain BM25 over the raw calls (k1 1.2, b 0.75, no stemming).
 * Run: node check.mjs [--missed]. Ends with 1 when something is wrong.
 */
import { readFileSync, statSync } from 'node:fs';

const BYTES_MAX = 1_500_000;
const TOP = 10;
const K1 = 1.2;
const B = 0.75;

const here = (name) => new URL(name, import.meta.url);
const rows = (name) =>
  readFileSync(here(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const docs = rows('sessions.jsonl');
const queries = rows('queries.jsonl');

const problems = [...checkDocs(), ...checkQueries()];
for (const problem of problems) console.error(problem);
report();
process.exitCode = problems.length > 0 ? 1 : 0;

function* checkDocs() {
  const bytes = statSync(here('sessions.jsonl')).size + statSync(here('queries.jsonl')).size;
  if (bytes > BYTES_MAX) yield `${bytes} bytes, at most ${BYTES_MAX}`;
  if (new Set(docs.map((doc) => doc.id)).size !== docs.length) yield 'an id is given twice';
  const lastOf = new Map();
  const frameOf = new Map();
  for (const doc of docs) {
    const last = lastOf.get(doc.session);
    if (last !== undefined && last >= doc.ts)
      yield `${doc.id}: not after the call before it in ${doc.session}`;
    lastOf.set(doc.session, doc.ts);
    const frame = `${doc.repo} ${doc.agent} ${doc.cwd}`;
    if ((frameOf.get(doc.session) ?? frame) !== frame)
      yield `${doc.id}: ${doc.session} changes repository, assistant or folder`;
    frameOf.set(doc.session, frame);
    if (/[«»]/.test(JSON.stringify(doc))) yield `${doc.id}: a slot was not filled`;
    if (typeof doc.is_error !== 'boolean' || typeof doc.output !== 'string' || !doc.input)
      yield `${doc.id}: wrong shape`;
  }
}

function* checkQueries() {
  const byId = new Map(docs.map((doc) => [doc.id, doc]));
  if (new Set(queries.map((query) => `${query.repo} ${query.query}`)).size !== queries.length)
    yield 'a question is asked twice';
  for (const query of queries) {
    const found = Object.keys(query.relevant).map((id) => byId.get(id));
    if (found.length < 1 || found.length > 5) yield `${query.qid}: ${found.length} labels`;
    if (found.includes(undefined)) yield `${query.qid}: a label names no call`;
    if (!Object.values(query.relevant).includes(2)) yield `${query.qid}: no call holds the answer itself`;
    if (found.some((doc) => doc?.repo !== query.repo)) yield `${query.qid}: a label of another repository`;
    if (found.some((doc) => doc && doc.ts >= query.ts)) yield `${query.qid}: asked before its answer`;
    const sessions = new Set(found.map((doc) => doc?.session));
    if (sessions.size !== query.sessions.length || query.sessions.some((one) => !sessions.has(one)))
      yield `${query.qid}: sessions are not those of its labels`;
  }
}

function report() {
  const indexes = new Map(
    [...new Set(docs.map((doc) => doc.repo))].map((repo) => [
      repo,
      index(docs.filter((doc) => doc.repo === repo)),
    ]),
  );
  const scored = queries.map((query) => ({ query, ...score(query, indexes.get(query.repo)(query.query)) }));
  console.log(
    `${docs.length} calls, ${new Set(docs.map((doc) => doc.session)).size} sessions, ${queries.length} questions`,
  );
  for (const field of ['repo', 'agent', 'tool'])
    console.log(`${field}: ${tally(docs.map((doc) => doc[field]))}`);
  console.log('\nplain BM25        n  nDCG@10  Hit@1  Hit@5 Hit@10  MRR@10  session Hit@5');
  for (const name of ['all', ...new Set(queries.map((query) => query.kind))]) {
    const part = scored.filter(({ query }) => name === 'all' || query.kind === name);
    const mean = (key) => (part.reduce((sum, item) => sum + item[key], 0) / part.length).toFixed(3);
    console.log(
      `${name.padEnd(12)} ${String(part.length).padStart(6)}    ${['ndcg', 'hit1', 'hit5', 'hit10', 'mrr', 'session5'].map(mean).join('  ')}`,
    );
  }
  if (process.argv.includes('--missed'))
    for (const { query, hit5 } of scored)
      if (!hit5) console.log(`missed ${query.qid} ${query.kind}: ${query.query}`);
}

function score(query, ranked) {
  const grades = ranked.slice(0, TOP).map((doc) => query.relevant[doc.id] ?? 0);
  const gain = (list) => list.reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = Object.values(query.relevant).sort((a, b) => b - a);
  const first = grades.findIndex((grade) => grade > 0);
  const hit = (top) => (first >= 0 && first < top ? 1 : 0);
  const session5 = ranked.slice(0, 5).some((doc) => query.sessions.includes(doc.session)) ? 1 : 0;
  return {
    ndcg: gain(grades) / gain(ideal),
    hit1: hit(1),
    hit5: hit(5),
    hit10: hit(10),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    session5,
  };
}

/** Documents -> a function that ranks them for a query. */
function index(list) {
  const counted = list.map((doc) => tokens(`${doc.tool} ${JSON.stringify(doc.input)} ${doc.output}`));
  const mean = counted.reduce((sum, words) => sum + words.length, 0) / counted.length;
  const postings = new Map();
  counted.forEach((words, place) => {
    for (const word of words) {
      const counts = postings.get(word) ?? new Map();
      postings.set(word, counts.set(place, (counts.get(place) ?? 0) + 1));
    }
  });
  return (text) => {
    const scores = new Map();
    for (const word of new Set(tokens(text))) {
      const counts = postings.get(word) ?? new Map();
      const rarity = Math.log(1 + (list.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [place, count] of counts) {
        const length = 1 - B + (B * counted[place].length) / mean;
        scores.set(place, (scores.get(place) ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * length));
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1]).map(([place]) => list[place]);
  };
}

function tokens(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function tally(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([value, count]) => `${value} ${count}`)
    .join(', ');
}
