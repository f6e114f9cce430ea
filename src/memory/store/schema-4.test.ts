import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedVectors } from '../../../test/support/store/store.ts';
import { vectorBatchMax } from '../../core/limits.ts';
import { packVector } from '../vector/index.ts';
import { Connection } from './connection.ts';
import { schema1 } from './schema-1.ts';
import { schema2, schema2Doubts } from './schema-2.ts';
import { schema3 } from './schema-3.ts';
import { openStore, openStoreReadOnly } from './store.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-schema-4-'));
  file = path.join(folder, 'db.sqlite');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const dim = 384;

function vectorOf(id: number): Float32Array {
  return Float32Array.from({ length: dim }, (_, at) => Math.sin(id * 7 + at) / 20);
}

function floats(vector: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, 4 * at);
  return bytes;
}

/** A database of schema 3 with `count` summaries, their vectors in float32 and the last one cut short. */
function oldStore(count: number): void {
  const old = new Connection(file, { readOnly: false });
  old.exec(
    `PRAGMA journal_mode = WAL; ${schema1}${schema2}${schema2Doubts}${schema3} PRAGMA user_version = 3`,
  );
  old.transaction(() => {
    for (let id = 1; id <= count; id++) {
      const ts = '2026-01-01T12:00:00.000Z';
      old.run(
        'INSERT INTO events (id, ts, tool, payload_json) VALUES (?, ?, ?, ?)',
        `ev_${id}`,
        ts,
        'Bash',
        '{}',
      );
      const summary = 'INSERT INTO summaries (id, event_id, text, model, ts) VALUES (?, ?, ?, ?, ?)';
      old.run(summary, id, `ev_${id}`, `did ${id}`, 'builtin', ts);
      const vector = id === count ? Uint8Array.of(1, 2, 3) : floats(vectorOf(id));
      const row =
        'INSERT INTO summary_embeddings (summary_id, embedder, version, dim, vector) VALUES (?, ?, ?, ?, ?)';
      old.run(row, id, id % 2 === 0 ? 'even' : 'odd', 7, dim, vector);
    }
    // The highest number that was ever given is not given again.
    old.exec("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'summary_embeddings'");
  });
  old.close();
}

function pagesOf(connection: Connection): number {
  return Number(connection.get('PRAGMA page_count')?.page_count);
}

test('vectors are packed at the migration, all else of their rows stays, and the copy has them as they were', () => {
  const count = vectorBatchMax + 10;
  oldStore(count);
  const before = new Connection(file, { readOnly: true });
  const columns = 'SELECT seq, summary_id, embedder, version, dim FROM summary_embeddings ORDER BY seq';
  const [rows, shape] = [before.all(columns), before.all('PRAGMA table_xinfo(summary_embeddings)')];
  const pages = pagesOf(before);
  before.close();
  const store = openStore(file);
  try {
    expect(store.connection.all(columns)).toEqual(rows);
    expect(store.connection.all('PRAGMA table_xinfo(summary_embeddings)')).toEqual(shape);
    const even = storedVectors(store, 'even', 7);
    for (const { summaryId, vector } of even) {
      const packed = summaryId === count ? [1, 2, 3] : packVector(vectorOf(summaryId));
      expect(Buffer.from(vector).equals(Buffer.from(packed))).toBe(true);
    }
    // Two rows a page before, nine now.
    expect(pagesOf(store.connection)).toBeLessThan(pages - count / 3);
    expect(
      store.connection.get("SELECT seq FROM sqlite_sequence WHERE name LIKE 'summary_embeddings%'"),
    ).toEqual({
      seq: 5_000,
    });
    // It is still the summaries' own.
    store.connection.run('DELETE FROM summaries WHERE id = 2');
    expect(store.embeddings.describe(2)).toBeNull();
    expect(store.connection.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  } finally {
    store.close();
  }
  const copy = new Connection(`${file}.schema-3.backup`, { readOnly: true });
  expect(
    copy.get('SELECT min(length(vector)) AS cut, max(length(vector)) AS whole FROM summary_embeddings'),
  ).toEqual({
    cut: 3,
    whole: 4 * dim,
  });
  copy.close();
});

test('vectors of a database that is only read stay as they are; float32 that is saved is packed', () => {
  oldStore(3);
  const reader = openStoreReadOnly(file);
  expect(reader?.embeddings.rowsAfter(0, 'odd', 7, 10)).toMatchObject({
    dims: [dim, dim, dim],
    byteLengths: [4 * dim, -1, 3],
  });
  reader?.close();
  const store = openStore(file);
  const one = { summaryId: 3, text: 'did 3', dim };
  store.embeddings.save('odd', 8, [{ ...one, vector: floats(vectorOf(3)) }]);
  const [saved] = storedVectors(store, 'odd', 8);
  expect(saved?.vector).toEqual(packVector(vectorOf(3)));
  store.embeddings.save('odd', 8, [{ ...one, vector: packVector(vectorOf(4)) }]);
  expect(storedVectors(store, 'odd', 8)[0]?.vector).toEqual(packVector(vectorOf(4)));
  store.close();
});
