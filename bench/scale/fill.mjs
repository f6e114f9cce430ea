// Fills a store through the rooms that the daemon writes with, from their sources.
import fs from 'node:fs';
import path from 'node:path';
import { madeSummaries } from './made.mjs';

/** The rooms that a store is filled and searched by. */
export const filling = `export { openStore, SearchReads } from './src/memory/store/index.ts';
  export { Searcher } from './src/query/search/index.ts';
  export * from './src/memory/embed/index.ts';
  export { packedIn, unpackVector } from './src/memory/vector/index.ts';
  export { matchExpression, queryTerms } from './src/reading/terms/index.ts';`;

/** Brings the database to `count` summaries with their vectors, whatever it has; answers how long that took. */
export async function fillTo(rooms, database, count, seed) {
  fs.mkdirSync(path.dirname(database), { recursive: true, mode: 0o700 });
  const store = rooms.openStore(database);
  // What is lost here in a power cut is made again.
  store.connection.exec('PRAGMA synchronous = OFF');
  const embedder = rooms.deterministicEmbedder();
  const there = store.stats.counts().summaries;
  const made = madeSummaries(seed);
  for (let at = 0; at < there; at += 1) made.next();
  const started = performance.now();
  for (let at = there; at < count; at += batchRows) {
    const batch = Array.from({ length: Math.min(batchRows, count - at) }, () => made.next().value);
    await storeBatch(store, embedder, batch);
  }
  store.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  store.close();
  return { added: Math.max(0, count - there), seconds: (performance.now() - started) / 1000 };
}

const batchRows = 2_000;
const owner = `${process.pid}-bench`;

async function storeBatch(store, embedder, batch) {
  store.events.insert(batch.map(eventOf));
  const claimed = store.events.claim(owner, 0, batch.length, Date.now());
  const summaries = claimed.map(({ seq }, at) => {
    const { text, terms } = batch[at];
    return { eventSeq: seq, text, terms, model: 'builtin' };
  });
  store.summaries.finish(owner, summaries);
  const { name, version } = embedder;
  const last = store.connection.get('SELECT max(id) AS id FROM summaries').id;
  const missing = store.embeddings.missing(embedder, last - batch.length, batch.length);
  const vectors = await embedder.embed(missing.map(({ text, terms }) => `${text}\n${terms}`));
  const rows = missing.map(({ summaryId, text }, at) => ({
    summaryId,
    text,
    dim: vectors[at].length,
    vector: new Uint8Array(vectors[at].buffer),
  }));
  store.embeddings.save(name, version, rows);
  // Looked at by the curator, or the daemon would spend the first minutes with that.
  store.connection.transaction(() => {
    for (const { summaryId } of rows) store.subjects.save(summaryId, []);
  });
}

function eventOf({ id, session, ts, tool, text }) {
  return {
    id: `ev_${id}`,
    tool,
    input: { description: text },
    output: 'ok',
    sessionId: session,
    toolUseId: `call_${id}`,
    ts,
    client: 'claude-code',
    isError: false,
    cwd: '/home/dev/project',
  };
}
