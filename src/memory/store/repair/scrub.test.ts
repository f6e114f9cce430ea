import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { type RedactRows, scanTexts, scrubBatchRows, scrubTexts, type TextRow } from './scrub.ts';

const secret = ['plum', 'orchard', '1729'].join('');
const count = 2 * scrubBatchRows + 3;
let opened: TestStore;

beforeEach(() => {
  opened = newStore();
});
afterEach(() => opened.remove());

const clean = (text: string): string => text.replaceAll(secret, 'gone');

/** Takes the secret out of every text. */
const redactRows: RedactRows = (group) =>
  group.map(({ texts }) => {
    const changed = Object.entries(texts).filter(([, text]) => text.includes(secret));
    return changed.length === 0
      ? null
      : Object.fromEntries(changed.map(([name, text]) => [name, clean(text)]));
  });

/** Events with summaries, vectors and edges, the secret in all of them. */
function fill(): number[] {
  const { store } = opened;
  const events = Array.from({ length: count }, (_, at) => eventAt(at, { output: `it is ${secret}` }));
  const ids = summarised(store, events, (at) => `said ${secret} ${at}`);
  store.embeddings.save(
    'e',
    1,
    ids.map((summaryId, at) => ({
      summaryId,
      text: `said ${secret} ${at}`,
      vector: new Uint8Array(4),
      dim: 1,
    })),
  );
  const edge = `INSERT INTO edges SELECT a.id, b.id, 'contradicts', 'both say ${secret}', a.ts
    FROM summaries a JOIN summaries b ON b.id < a.id AND b.id > a.id - 3`;
  store.connection.run(edge);
  store.settings.set('focus', `find ${secret}`);
  return ids;
}

function filesWith(text: string): string[] {
  const folder = path.dirname(opened.file);
  return fs.readdirSync(folder).filter((name) => fs.readFileSync(path.join(folder, name)).includes(text));
}

describe('scanning', () => {
  test('shows every text of every row once, an event with its summary, and changes nothing', () => {
    const ids = fill();
    const seen = new Map<string, number>();
    const groups = new Set<string>();
    const rows = scanTexts(opened.file, (group: readonly TextRow[]) => {
      groups.add(group.map(({ table }) => table).join('+'));
      for (const { table } of group) seen.set(table, (seen.get(table) ?? 0) + 1);
      return group.map(() => ({ text: 'never written' }));
    });
    const edges = 2 * (ids.length - 2) + 1;
    expect(Object.fromEntries(seen)).toEqual({ events: count, summaries: count, edges, settings: 1 });
    expect([...groups]).toEqual(['events+summaries', 'edges', 'settings']);
    expect(rows).toBe(2 * count + edges + 1);
    expect(opened.store.summaries.get(ids)[0]?.text).toBe(`said ${secret} 0`);
  });

  test('finds a summary whose event an operator has removed', () => {
    const ids = fill();
    opened.store.connection.exec('PRAGMA foreign_keys = OFF; DELETE FROM events WHERE seq > 1');
    let summaries = 0;
    scanTexts(opened.file, (group) => {
      summaries += group.filter(({ table }) => table === 'summaries').length;
      return group.map(() => null);
    });
    expect(summaries).toBe(ids.length);
  });
});

describe('scrubbing', () => {
  test('changes every text, rebuilds the index, drops the vectors and leaves no byte of the former', () => {
    const ids = fill();
    expect(filesWith(secret)).not.toEqual([]);
    scrubTexts(opened.file, redactRows);
    expect(filesWith(secret)).toEqual([]);
    const { store } = opened;
    expect(store.summaries.get(ids).map(({ text }) => text)).toEqual(ids.map((_, at) => `said gone ${at}`));
    const found = store.connection.all("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'gone'");
    expect(found).toHaveLength(count);
    expect(store.stats.counts()).toMatchObject({ events: count, summaries: count, embeddings: 0 });
    expect(store.edges.touching(ids.slice(0, 1)).map(({ evidence }) => evidence)).toContain('both say gone');
    expect(
      store.connection.get("INSERT INTO summaries_fts (summaries_fts) VALUES ('integrity-check')"),
    ).toBeUndefined();
  });

  test('takes away too what was removed before with less care', () => {
    const ids = fill();
    const { connection } = opened.store;
    connection.exec('PRAGMA secure_delete = OFF');
    const words = ['formerly', 'said'].join('');
    connection.run('UPDATE events SET payload_json = ?', JSON.stringify({ output: `${words} `.repeat(900) }));
    connection.run("UPDATE events SET payload_json = '{}'");
    for (const id of ids) connection.run('UPDATE summaries_fts SET terms = ? WHERE rowid = ?', words, id);
    connection.run("UPDATE summaries_fts SET terms = ''");
    connection.get('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(filesWith(words)).toEqual(['db.sqlite']);
    scrubTexts(opened.file, redactRows);
    expect(filesWith(words)).toEqual([]);
  });

  test('that was interrupted is done by the next', () => {
    fill();
    let groups = 0;
    const failing: RedactRows = (group) => {
      groups += 1;
      if (groups > scrubBatchRows + 5) throw new Error('the power went');
      return redactRows(group);
    };
    expect(() => scrubTexts(opened.file, failing)).toThrow('the power went');
    const left = "SELECT count(*) AS n FROM summaries WHERE text LIKE '%gone%'";
    // A page is scrubbed as a whole or not at all.
    expect(opened.store.connection.get(left)).toEqual({ n: scrubBatchRows });
    scrubTexts(opened.file, redactRows);
    expect(filesWith(secret)).toEqual([]);
  });
});

test('what is forgotten leaves no byte in the database and its log, in whichever page it was', () => {
  const { store } = opened;
  const word = (at: number): string => `${secret}x${at}y`;
  const events = Array.from({ length: 600 }, (_, at) =>
    eventAt(at, {
      output: `${'some output '.repeat((at * 7919) % 900)}${word(at)}`,
      sessionId: `s${at % 7}`,
    }),
  );
  const ids = summarised(store, events, (at) => `${'said '.repeat(at % 40)}${word(at)}`);
  const gone = ids.flatMap((id, at) => ((at * 31) % 4 === 0 ? [{ id, word: word(at) }] : []));
  for (const { id } of gone) expect(store.summaries.forget(id)).toBe(true);
  expect(gone.filter((one) => filesWith(one.word).length > 0)).toEqual([]);
  expect(filesWith(word(1))).not.toEqual([]);
});
