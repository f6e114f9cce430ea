import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { salvageFailuresMin, salvageFailuresPerPage } from '#core/limits';
import { slowTest } from '../../../../test/support/slow.ts';
import { newStore } from '../../../../test/support/store/store.ts';
import { Connection } from '../connection.ts';
import { type Salvaged, salvage } from './salvage.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

interface Made {
  readonly file: string;
  readonly pages: number;
  /** The root pages of all tables and indexes, by name. */
  readonly roots: Readonly<Record<string, number>>;
}

/** A database with `count` events, and a summary and an edge of every tenth, all in its own file. */
function made(count: number, sql = ''): Made {
  const { store, file } = newStore();
  folders.push(path.dirname(file));
  store.connection.exec(`
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n)
    INSERT INTO events (id, ts, session_id, tool, payload_json)
      SELECT 'ev_' || n, '2026-01-01T00:00:00.000Z', 's', 'Bash', '{"output":"' || hex(zeroblob(60)) || '"}' FROM n LIMIT ${count};
    INSERT INTO summaries (event_id, text, model, ts) SELECT id, 'did it', 'm', ts FROM events WHERE seq % 10 = 0;
    INSERT INTO edges (from_id, to_id, kind, ts) SELECT id, id - 1, 'supersedes', ts FROM summaries WHERE id > 1;
    ${sql}`);
  const rows = store.connection.all('SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 1');
  const roots = Object.fromEntries(rows.map((row) => [String(row.name), Number(row.rootpage)]));
  store.connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
  store.close();
  return { file, pages: fs.statSync(file).size / 4_096, roots };
}

/** A copy with pages overwritten, salvaged. */
function salvaged({ file }: Made, ...pages: readonly (number | undefined)[]): Salvaged {
  const damaged = `${file}.damaged-copy`;
  const bytes = fs.readFileSync(file);
  for (const page of pages) if (page !== undefined) bytes.fill(0xa5, (page - 1) * 4_096, page * 4_096);
  fs.writeFileSync(damaged, bytes);
  fs.rmSync(`${file}.new`, { force: true });
  return salvage(damaged, `${file}.new`);
}

const failuresMax = ({ pages }: Made): number =>
  3 * (salvageFailuresMin + salvageFailuresPerPage * pages) + 200;

describe('salvaging', () => {
  test('a new database ends with a few reads, whatever root page is overwritten', () => {
    const empty = made(0);
    for (const [name, root] of Object.entries(empty.roots)) {
      const { failedReads, ...rest } = salvaged(empty, root);
      expect(failedReads, name).toBeLessThanOrEqual(64);
      expect(rest, name).toMatchObject({ events: 0, summaries: 0 });
    }
    const { events, events_status, sqlite_sequence } = empty.roots;
    for (const pages of [[events], [events, sqlite_sequence]])
      expect(salvaged(empty, ...pages)).toMatchObject({ unreadable: 0, failedReads: 0 });
    // Nothing left says how many there were: no more than fit into the file.
    const blind = salvaged(empty, events, events_status, sqlite_sequence);
    expect(blind.failedReads).toBeLessThanOrEqual(failuresMax(empty));
    expect(blind.unreadable).toBeLessThanOrEqual((empty.pages * 4_096) / 16);
  });

  slowTest(
    '14,000 events stays within what the pages allow, and loses nothing but the table that is hit',
    () => {
      const large = made(14_000);
      const copied = Object.entries(large.roots).filter(([name]) =>
        /events|edges|summaries(?!_fts)|sequence/.test(name),
      );
      expect(copied.length).toBeGreaterThan(8);
      for (const [name, root] of copied) {
        const { failedReads, events, summaries, unreadable } = salvaged(large, root);
        expect(failedReads, name).toBeLessThanOrEqual(failuresMax(large));
        // An event that is lost but for its summary stands as one that says so.
        expect(events, name).toBe(name === 'events' ? 1_400 : 14_000);
        expect(summaries, name).toBe(name === 'summaries' ? 0 : 1_400);
        if (name === 'events') expect(unreadable).toBe(14_000);
      }
    },
  );

  slowTest(
    'one page of many costs its own rows, also where the highest key is unknown, or keys are far apart',
    () => {
      for (const sql of [
        '',
        'DELETE FROM sqlite_sequence',
        `UPDATE events SET seq = seq * 1000003;
       UPDATE sqlite_sequence SET seq = 14000 * 1000003 WHERE name = 'events'`,
      ]) {
        const large = made(14_000, sql);
        const middle = Math.floor(large.pages / 2);
        const { failedReads, events, unreadable } = salvaged(large, middle);
        expect(events + unreadable).toBeGreaterThanOrEqual(14_000);
        expect(events).toBeGreaterThan(13_900);
        expect(failedReads).toBeLessThanOrEqual(failuresMax(large));
      }
    },
  );

  test('is not led round by a page that points to itself', () => {
    const large = made(2_000);
    const { file, roots } = large;
    const bytes = fs.readFileSync(file);
    const at = ((roots.events ?? 1) - 1) * 4_096;
    // The right-most child of the root, an interior page (https://www.sqlite.org/fileformat2.html#b_tree_pages).
    expect(bytes[at]).toBe(5);
    bytes.writeUInt32BE(roots.events ?? 1, at + 8);
    fs.writeFileSync(file, bytes);
    const { failedReads, events, unreadable } = salvaged(large);
    expect(events + unreadable).toBeGreaterThanOrEqual(2_000);
    expect(failedReads).toBeLessThanOrEqual(failuresMax(large));
  });

  test('every row that is found by its key is saved, even if an inner page points to a wrong range', () => {
    for (const seed of Array.from({ length: 12 }, (_, at) => at + 1)) {
      const { file, roots } = made(400);
      const bytes = fs.readFileSync(file);
      const at = ((roots.events ?? 1) - 1) * 4_096;
      expect(bytes[at]).toBe(5);
      // The pointers to the cells of the root, and to its right-most child.
      const noise = createHash('sha512').update(`${seed}`).digest();
      noise.copy(bytes, at + 8, 0, 8 + 2 * (seed % 20));
      fs.writeFileSync(file, bytes);
      const damaged = new Connection(file, { readOnly: true });
      const sound = found(damaged);
      damaged.close();
      const { events, unreadable } = salvaged({ file, pages: 0, roots });
      const saved = new Connection(`${file}.new`, { readOnly: true });
      expect(found(saved), `seed ${seed}`).toEqual(expect.arrayContaining(sound));
      saved.close();
      // One that is lost but for its summary counts twice.
      expect(events + unreadable, `seed ${seed}`).toBeGreaterThanOrEqual(400);
    }
  });
});

/** The ids of the events of `made`, each asked for by its key alone. */
function found(connection: Connection): unknown[] {
  return Array.from({ length: 400 }, (_, at) => at + 1).flatMap((seq) => {
    try {
      const row = connection.get('SELECT id, payload_json AS payload FROM events WHERE seq = ?', seq);
      return row?.id === `ev_${seq}` && String(row.payload).startsWith('{"output":') ? [row.id] : [];
    } catch {
      return [];
    }
  });
}
