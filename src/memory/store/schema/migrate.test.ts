import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { type Released, released } from '../../../../test/support/store/released.ts';
import { eventAt, storedVectors } from '../../../../test/support/store/store.ts';
import { Connection } from '../connection.ts';
import { allRows } from '../reads/archive-rows.ts';
import { Browse } from '../reads/browse.ts';
import { indexLag, lastCaptures, skipReasons } from '../reads/health-reads.ts';
import { sessionNamed } from '../reads/names.ts';
import { OutlineReads } from '../reads/outline-reads.ts';
import { memoriesOf, recordedSessions } from '../reads/session-reads.ts';
import { prunable } from '../repair/prune.ts';
import type { Row } from '../row.ts';
import { openStore, openStoreReadOnly, type Store } from '../store.ts';
import { isPinned } from '../tables/origin.ts';
import { schemaVersion } from './migrate.ts';
import { schema4 } from './schema-4.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-migrate-'));
  file = path.join(folder, 'db.sqlite');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The database as the memd of that schema left it. Answers the rows of its tables. */
function writtenBy({ version, write }: Released): Map<string, Row[]> {
  fs.writeFileSync(file, '', { mode: 0o600 });
  const old = new Connection(file, { readOnly: false });
  old.exec('PRAGMA journal_mode = WAL');
  write(old);
  old.exec(`PRAGMA user_version = ${version}`);
  const rows = rowsOf(old);
  old.close();
  return rows;
}

const isOwn = "type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'summaries_fts_%'";

function rowsOf(connection: Connection): Map<string, Row[]> {
  const names = connection.all(`SELECT name FROM sqlite_schema WHERE ${isOwn} ORDER BY name`);
  return new Map(
    names.map(({ name }) => [
      String(name),
      connection.all(`SELECT rowid_order.* FROM ${String(name)} AS rowid_order`),
    ]),
  );
}

/** Each table's columns, and what indexes and triggers there are: what `sqlite_schema` says apart from how it came to be. */
function shapeOf(connection: Connection): unknown {
  const objects = connection.all("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'");
  const columns = [...rowsOf(connection).keys()].map((name) => [
    name,
    connection.all(`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info('${name}')`),
  ]);
  return { objects: objects.map(({ type, name }) => [type, name].join(' ')).sort(), columns };
}

const found = ({ connection }: Store, word: string): unknown[] =>
  connection
    .all('SELECT rowid AS id FROM summaries_fts WHERE summaries_fts MATCH ? ORDER BY rowid', word)
    .map(({ id }) => id);

/** Without those of a connection whose last statement has not been collected yet. */
const names = (): string[] => fs.readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));

function opened(work: (store: Store) => void): void {
  const store = openStore(file);
  try {
    work(store);
  } finally {
    store.close();
  }
}

describe.each(released)('a database of $name', (old) => {
  test('holds every row afterwards that it held before, in the current shape', () => {
    const before = writtenBy(old);
    opened(({ connection }) => {
      expect(connection.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion });
      expect(connection.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
      expect(connection.all('PRAGMA foreign_key_check')).toEqual([]);
      const after = rowsOf(connection);
      for (const [name, rows] of before)
        expect({ name, rows: after.get(name) }).toEqual({
          name,
          // The digest is found from schema 5 on.
          rows: expect.arrayContaining(rows.map((row) => expect.objectContaining(row))),
        });
    });
    const [migrated, made] = [new Connection(file, { readOnly: true }), `${file}.new`];
    openStore(made).close();
    const fresh = new Connection(made, { readOnly: true });
    expect(shapeOf(migrated)).toEqual(shapeOf(fresh));
    migrated.close();
    fresh.close();
  });

  test('is found, read and shown as before: words, pins, edges, vectors, focus, usage', () => {
    writtenBy(old);
    opened((store) => {
      expect(store.stats.counts()).toEqual({
        ...{ events: 5, messages: 0, raw: 1, summarized: 3, skipped: 1, summaries: 3, embeddings: 2 },
      });
      expect([found(store, 'quokka'), found(store, 'make')]).toEqual([[1], [2, 7]]);
      expect(store.summaries.get([1, 7]).map(({ id, pinned }) => [id, pinned])).toEqual([
        [1, true],
        [7, false],
      ]);
      expect(store.edges.touching([7])).toHaveLength(2);
      expect(storedVectors(store, 'nomic', 2)).toEqual([
        { seq: 5, summaryId: 7, vector: new Uint8Array([5, 6, 7, 8]) },
      ]);
      expect(store.settings.get('focus')).toBe('the mill');
      expect(store.usage.of('2026-01-01')).toMatchObject([{ calls: 3, inputTokens: 1000 }]);
      expect(store.digests.get('s1')?.text).toBe('the mill was read');
      expect(store.prompts.of('s1', 9)).toMatchObject([{ text: 'fix the mill' }]);
      // What was forgotten stays away.
      expect(store.events.insert([eventAt(0)])).toMatchObject({ inserted: 0 });
    });
  });

  test('goes on: calls come in, rows are tried again, and the SQL that operators know does what it did', () => {
    writtenBy(old);
    opened((store) => {
      const { connection } = store;
      connection.exec("UPDATE events SET status = 'raw' WHERE status = 'skipped'");
      expect(connection.get('SELECT attempts, last_error FROM events WHERE seq = 9')).toEqual({
        attempts: 0,
        last_error: null,
      });
      connection.exec('DELETE FROM summary_embeddings WHERE summary_id = 7');
      const nomic = { name: 'nomic', version: 2, dim: 3 };
      expect(store.embeddings.missing(nomic, 1, 9).map(({ summaryId }) => summaryId)).toEqual([2, 7]);
      expect(connection.get('SELECT avg(length(payload_json)) > 10 AS ok FROM events')).toEqual({ ok: 1 });
      // A row number that was used is not used again.
      store.events.insert([eventAt(50)]);
      expect(connection.get("SELECT seq FROM events WHERE id = 'ev_50'")).toEqual({ seq: 10 });
      const [claimed] = store.events.claim('me', 9, 1, Date.now());
      const summary = { eventSeq: claimed?.seq ?? 0, text: 'wallaby seen', terms: '', model: 'm' };
      expect(store.summaries.finish('me', [summary])).toBe(1);
      // A digest has taken the 8th number.
      expect(found(store, 'wallaby')).toEqual([9]);
      expect(store.summaries.forget(1)).toBe(true);
      expect(found(store, 'quokka')).toEqual([]);
      expect(store.edges.touching([7])).toHaveLength(1);
    });
  });

  test('recognises calls that a transcript repeats', () => {
    writtenBy(old);
    opened((store) => {
      const repeated: ToolEvent = eventAt(3, {
        ...{ id: 'ev_told', client: 'gemini-cli', sessionId: 's2', toolUseId: 'from-the-transcript' },
        ...{ input: { command: 'make' }, output: 'ok' },
      });
      expect(store.events.insert([repeated])).toEqual({ inserted: 0, duplicates: 1 });
    });
  });

  test('is copied first, for its owner alone, and once', () => {
    const before = writtenBy(old);
    const backup = `${file}.schema-${old.version}.backup`;
    opened(() => {});
    if (old.version === schemaVersion) {
      expect(fs.existsSync(backup)).toBe(false);
      return;
    }
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    const copy = new Connection(backup, { readOnly: true });
    expect(copy.get('PRAGMA user_version')).toEqual({ user_version: old.version });
    expect(rowsOf(copy)).toEqual(before);
    copy.close();
    const { mtimeMs } = fs.statSync(backup);
    opened(() => {});
    expect(fs.statSync(backup).mtimeMs).toBe(mtimeMs);
    expect(names().sort()).toEqual(['db.sqlite', path.basename(backup)]);
    // The copy is a database that this memd opens as well: that is how one goes back.
    fs.renameSync(backup, file);
    opened(({ stats }) => expect(stats.counts().events).toBe(5));
  });

  test('can be read without being brought forward by those who only read', () => {
    const before = writtenBy(old);
    const bytes = fs.readFileSync(file);
    const reader = openStoreReadOnly(file);
    // What commands show without a daemon.
    if (reader === null) throw new Error('no database');
    const { connection, stats, usage, settings } = reader;
    expect(stats.counts()).toMatchObject({ events: 5, summaries: 3 });
    expect(settings.get('focus')).toBe('the mill');
    expect(usage.of('2026-01-01')).toMatchObject([{ calls: 3, costMicroUsd: 77 }]);
    expect(skipReasons(reader, 9)).toEqual([{ reason: 'not JSON', rows: 1 }]);
    expect(indexLag(reader)).toEqual({ missing: 0, surplus: 0 });
    expect(lastCaptures(reader).size).toBe(3);
    expect(prunable(connection, Date.UTC(2026, 5, 1)).map(({ id }) => id)).toEqual([2]);
    expect([...allRows(connection)].map(({ type }) => type).sort()).toEqual([
      ...['digest', 'edge', 'edge', 'event', 'event', 'event', 'event', 'event', 'forgotten', 'prompt'],
      ...['summary', 'summary', 'summary'],
    ]);
    expect(new OutlineReads(reader).sessions(9)).toMatchObject([{ sessionId: 's2' }, { sessionId: 's1' }]);
    expect(new OutlineReads(reader).pinned(9).map(({ id }) => id)).toEqual([1]);
    expect(new Browse(reader).summary(1)).toMatchObject({ id: 1, kind: 'call', pinned: true });
    expect(sessionNamed(connection, 'last')).toBe('s2');
    expect(recordedSessions(connection)).toHaveLength(2);
    expect([...memoriesOf(connection, 's1')].map(({ id }) => id)).toEqual([1, 2]);
    reader.close();
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
    const again = new Connection(file, { readOnly: true });
    expect(rowsOf(again)).toEqual(before);
    again.close();
  });
});

test.each([
  ['natives', 'DROP TABLE natives; DROP TABLE session_links'],
  ['incomplete', 'DROP TABLE incomplete; DROP TRIGGER incomplete_insert; DROP TRIGGER incomplete_update'],
  ['comparables', 'DROP TABLE comparables; DROP TRIGGER comparables_update'],
  ['summaries_pinned', 'DROP INDEX summaries_pinned'],
])('a database of a state before %s gets it', (name, sql) => {
  openStore(file).close();
  const before = new Connection(file, { readOnly: false });
  before.exec(sql);
  before.close();
  opened(({ connection }) => expect(connection.hasTable(name)).toBe(true));
});

test('pinned memories are listed by their index', () => {
  opened(({ connection }) => {
    const sql = `EXPLAIN QUERY PLAN SELECT s.id FROM summaries s CROSS JOIN events e ON e.id = s.event_id
      WHERE ${isPinned('s')} ORDER BY s.ts DESC, s.id DESC LIMIT 9`;
    const plan = connection.all(sql).map(({ detail }) => String(detail));
    expect(plan[0]).toContain('summaries_pinned');
    expect(plan.join()).not.toContain('TEMP B-TREE FOR ORDER');
  });
});

describe('a migration that fails on the way', () => {
  test('leaves the database as it was, its copy next to it, and the next migration does it all', () => {
    const [old] = released;
    if (old === undefined) throw new Error('no schema');
    const write = (connection: Connection): void => {
      old.write(connection);
      connection.exec('CREATE INDEX digests_id ON digests (ts)');
    };
    const before = writtenBy({ ...old, write });
    expect(() => openStore(file)).toThrow(expect.objectContaining({ code: 'bad_database' }));
    const left = new Connection(file, { readOnly: false });
    expect(left.get('PRAGMA user_version')).toEqual({ user_version: 4 });
    expect(rowsOf(left)).toEqual(before);
    left.exec('DROP INDEX digests_id');
    left.close();
    expect(fs.existsSync(`${file}.schema-4.backup`)).toBe(true);
    opened(({ stats }) => expect(stats.counts()).toMatchObject({ events: 5, summaries: 3 }));
  });
});

describe('a database of a newer memd', () => {
  /** Not even its journal is of the kind that this memd sets. */
  function newer(): Buffer {
    const connection = new Connection(file, { readOnly: false });
    const later = `CREATE TABLE later (x); PRAGMA user_version = ${schemaVersion + 1}`;
    connection.exec(`${schema4}${later}`);
    connection.close();
    return fs.readFileSync(file);
  }
  const refusal = `has schema ${schemaVersion + 1}, and this memd knows schemas up to ${schemaVersion}`;

  test.each([{}, { repair: true }, { repair: true, suspect: true }])(
    'is refused with both versions, and not one byte of it changes (%j)',
    (options) => {
      const bytes = newer();
      expect(() => openStore(file, options)).toThrow(refusal);
      expect(() => openStoreReadOnly(file)).toThrow(refusal);
      expect(fs.readFileSync(file).equals(bytes)).toBe(true);
      expect(names()).toEqual(['db.sqlite']);
    },
  );

  test('is not repaired where it is damaged: the version that wrote it can save more', () => {
    newer();
    fs.writeFileSync(`${file}.damaged`, 'page 7');
    expect(() => openStore(file, { repair: true })).toThrow(refusal);
    expect(fs.readdirSync(folder)).toEqual(['db.sqlite', 'db.sqlite.damaged']);
  });
});
