import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Connection } from '../connection.ts';
import { schema4 } from '../schema/schema-4.ts';
import { eraseFromCopy } from './erase-copy.ts';
import { scrubTexts } from './scrub.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-copy-'));
  file = path.join(folder, 'db.sqlite.schema-4.backup');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const word = ['quux', 'unrepeatable', '78'].join('');

/** A copy as the first release made it, with two calls of which the second one's summary repeats the first one. */
function fill(): void {
  const copy = new Connection(file, { readOnly: false });
  copy.exec(schema4);
  copy.exec('PRAGMA user_version = 4');
  for (const at of [1, 2]) {
    const output = at === 1 ? word : 'ok';
    copy.run(
      "INSERT INTO events (id, ts, session_id, tool, payload_json, status) VALUES (?, ?, 's', 'Bash', ?, 'summarized')",
      `ev_${at}`,
      `2026-01-0${at}T00:00:00.000Z`,
      JSON.stringify({ output }),
    );
    const text = at === 1 ? `said ${word}` : `said. Passed after failing in the call before (${word}).`;
    copy.run(
      "INSERT INTO summaries (event_id, text, model, ts) VALUES (?, ?, 'builtin', '2026-01-01T00:00:00.000Z')",
      `ev_${at}`,
      text,
    );
    copy.run('INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)', at, text, '');
  }
  copy.close();
}

const rows = (sql: string): unknown[] => {
  const copy = new Connection(file, { readOnly: true });
  try {
    return copy.all(sql);
  } finally {
    copy.close();
  }
};
const traceOf = (eventId: string) => ({ eventId, sessionId: 's', payloadJson: '{}' });
const resummarise = () => ({ text: 'again', terms: '' });

describe('a copy of the first release', () => {
  test('loses an event, and its words in other summaries', () => {
    fill();
    expect(eraseFromCopy(file, traceOf('ev_9'), resummarise)).toBe('not-there');
    expect(eraseFromCopy(file, traceOf('ev_1'), resummarise)).toBe('erased');
    expect(rows('SELECT id, text FROM summaries')).toEqual([{ id: 2, text: 'said.' }]);
    expect(rows("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'said'")).toEqual([{ rowid: 2 }]);
    expect(fs.readFileSync(file).includes(word)).toBe(false);
  });

  test('is scrubbed', () => {
    fill();
    const clean = (text: string): string => text.replaceAll(word, 'gone');
    scrubTexts(file, (group) =>
      group.map(({ texts }) =>
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, clean(text)])),
      ),
    );
    expect(rows('SELECT text FROM summaries')).toEqual([
      { text: 'said gone' },
      { text: 'said. Passed after failing in the call before (gone).' },
    ]);
    expect(fs.readFileSync(file).includes(word)).toBe(false);
  });

  test('that is damaged is reported', () => {
    fs.writeFileSync(file, `no database any more ${word}`);
    expect(eraseFromCopy(file, traceOf('ev_1'), resummarise)).toEqual({
      failed: expect.stringMatching(/not a database/),
    });
  });
});
