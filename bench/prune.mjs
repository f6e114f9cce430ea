/**
 * What a very large `mem prune --confirm` costs: made-up memories in a real database, most of them replaced by a newer one.
 *   node bench/prune.mjs [--summaries 100000] [--prunable 50000]
 * Prints one JSON object a line: the plan, and the removal with its restore file; `writeLockMs` is how long the transaction
 * keeps other writers waiting. Figures of one run on one machine.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadRooms } from './rooms.mjs';

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bench-prune-'));

try {
  await main(option('summaries', 100_000), option('prunable', 50_000));
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function main(count, prunable) {
  const rooms = await loadRooms(
    folder,
    `export { openStore } from './src/memory/store/index.ts';
    export { Archive, prunePlan } from './src/memory/archive/index.ts';`,
  );
  const file = path.join(folder, 'db.sqlite');
  const store = rooms.openStore(file);
  fill(store, count, prunable);
  say({ what: 'database', summaries: count, prunable, MiB: mebi(file) });
  const archive = new rooms.Archive(store, folder);
  const planned = timed(() => rooms.prunePlan(store, Date.now()));
  say({
    what: 'plan',
    ms: planned.ms,
    groups: planned.value.groups.map((group) => group.count),
    left: planned.value.left,
  });
  const held = holds(store);
  const began = performance.now();
  const { removed, restoreFile } = await archive.prune();
  say({
    what: 'prune',
    removed,
    ms: Math.round(performance.now() - began),
    writeLockMs: Math.round(Math.max(...held)),
    restoreFileMiB: mebi(restoreFile),
  });
  const left = store.connection.get('SELECT count(*) AS n FROM summaries_fts');
  say({ what: 'left', summaries: left.n, check: store.connection.get('PRAGMA quick_check') });
  store.close();
}

/** How long each transaction lasts, from the moment it has the lock. */
function holds(store) {
  const all = [0];
  const transaction = store.connection.transaction.bind(store.connection);
  store.connection.transaction = (work) => {
    const began = performance.now();
    try {
      return transaction(work);
    } finally {
      all.push(performance.now() - began);
    }
  };
  return all;
}

/** Calls of some 2 kB; each of the first `prunable` is replaced by the next one, a month ago. */
function fill(store, count, prunable) {
  const day = 86_400_000;
  const start = Date.now() - 90 * day;
  for (let from = 0; from < count; from += 1_000) {
    const events = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
      const at = from + index;
      return {
        id: `ev_${String(at).padStart(24, '0')}`,
        tool: 'Bash',
        input: { command: `npm test -- part-${at} of the whole` },
        output: lines(at),
        sessionId: `session-${Math.floor(at / 200)}`,
        toolUseId: `toolu_${at}`,
        ts: new Date(start + at * 400).toISOString(),
        client: 'claude-code',
        isError: false,
        cwd: '/home/someone/project',
      };
    });
    store.events.insert(events);
    const claimed = store.events.claim('bench', 0, events.length, Date.now());
    const made = claimed.map(({ seq, id }) => ({
      eventSeq: seq,
      text: `Ran \`npm test -- part-${seq}\`: ${lines(seq).slice(0, 240)}`,
      terms: `${id} part-${seq} src/part-${seq}.ts handlePart${seq} ${lines(seq * 7).slice(0, 300)}`,
      model: 'builtin',
    }));
    store.summaries.finish('bench', made);
    const missing = store.embeddings.missing('deterministic', 1, from, 1_000);
    store.embeddings.save(
      'deterministic',
      1,
      missing.map(({ summaryId, text }) => ({
        summaryId,
        text,
        dim: 384,
        vector: new Uint8Array(1_536).fill(7),
      })),
    );
  }
  store.connection.transaction(() => {
    for (let id = 1; id <= prunable; id += 1) {
      store.connection.run(
        "INSERT INTO edges VALUES (?, ?, 'supersedes', 'check again: it passed again', ?)",
        id + 1,
        id,
        new Date(start).toISOString(),
      );
      for (let key = 0; key < 4; key += 1) {
        store.connection.run("INSERT INTO subjects VALUES (?, ?, 'passed')", (id * 31 + key) % 9_999, id);
      }
    }
  });
}

function lines(seed) {
  const words =
    'the mill grinds rye and spelt while river water turns its wheel against stone every morning'.split(' ');
  return Array.from({ length: 24 }, (_, at) => {
    const pick = (step) => words[(seed * step + at * 3) % words.length];
    return `${pick(1)} ${pick(2)} ${pick(5)} part-${(seed * 13 + at) % 5_000} took ${(seed + at) % 97} ms, ${pick(7)} ${pick(11)}`;
  }).join('\n');
}

function timed(work) {
  const began = performance.now();
  const value = work();
  return { value, ms: Math.round(performance.now() - began) };
}

function mebi(file) {
  return Math.round((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024);
}

function say(fields) {
  process.stdout.write(`${JSON.stringify(fields)}\n`);
}
