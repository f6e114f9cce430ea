// Subjects of commits over recorded sessions with all that was said in them: the edits that a commit kept, among the calls alone and in
// the one ranking over calls, messages and sessions.
import fs from 'node:fs';
import { figuresOf, means } from './metrics.mjs';
import { placeOf } from './orders.mjs';

const repos = { 'context-evaluator': 'PackmindHub+context-evaluator', 'entire-cli': 'entireio+cli' };
const depth = 200;
const systems = { calls: 'memd, calls', all: 'memd, one ranking' };

/** One result for each subject with a kept edit in the transcripts; null without the data. @param open opens a memory filled from a folder of transcripts */
export async function measureCommits(data, open) {
  const file = `${data}/code-memory/queries.jsonl`;
  if (!fs.existsSync(file) || !fs.existsSync(`${data}/transcripts`)) return null;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const subjects = lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'commit');
  const results = [];
  for (const [folder, repo] of Object.entries(repos)) {
    const memory = await open(`${data}/transcripts/${folder}`);
    try {
      for (const subject of subjects.filter((one) => one.repo === repo)) {
        const kept = Object.entries(subject.relevant).filter(([id]) => memory.has(id));
        if (kept.length === 0) continue;
        const query = { ...subject, relevant: Object.fromEntries(kept) };
        results.push({ set: 'commits', workspace: folder, query, ...(await answersOf(query, memory)) });
      }
    } finally {
      memory.close();
    }
  }
  return results;
}

async function answersOf(query, memory) {
  const started = performance.now();
  const { hits } = await memory.search({ query: query.query, topK: depth, asOf: query.ts });
  const ms = performance.now() - started;
  const orders = { calls: hits.filter(({ kind }) => kind === 'call'), all: hits };
  const figures = Object.entries(orders).map(([name, order]) => [
    systems[name],
    figuresOf(query, order.map(placeOf)),
  ]);
  return { ms, figures: Object.fromEntries(figures) };
}

export function reportCommits(results) {
  console.log(`\n== commits over transcripts (${results.length} subjects)`);
  for (const system of Object.values(systems)) {
    const { ndcg10, hit5, hit10, session5 } = means(results.map(({ figures }) => figures[system]));
    const shown = Object.entries({ ndcg10, hit5, hit10, session5 });
    const cells = shown.map(([name, value]) => `${name} ${value.toFixed(3)}`);
    console.log(`${system.padEnd(20)}${cells.join('  ')}`);
  }
}
