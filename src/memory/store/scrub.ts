import { Failure, messageOf } from '../../core/platform/index.ts';
import { Connection } from './connection.ts';
import { emptyWal } from './erase.ts';
import { isReadable } from './migrate.ts';
import type { Row } from './row.ts';
import { SummaryTable } from './summaries.ts';

export const scrubBatchRows = 128;

/** The tables that hold what came from outside. */
export type Place = 'events' | 'summaries' | 'edges' | 'settings' | 'prompts' | 'digests';

/** The texts of one row by column; a column without a text is not there. */
export interface TextRow {
  readonly place: Place;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Judges rows that belong together (an event and its summary, or one row alone); answers for each the texts that
 * must take the place of its own, by column, or null when it may stay.
 */
export type RedactColumn = (
  group: readonly TextRow[],
) => readonly (Readonly<Record<string, string>> | null)[];

interface Part {
  readonly place: Place;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

const events: Part = {
  place: 'events',
  key: ['seq'],
  columns: ['session_id', 'tool', 'tool_use_id', 'payload_json', 'last_error'],
};
const summaries: Part = { place: 'summaries', key: ['id'], columns: ['text', 'terms'] };
const edges: Part = { place: 'edges', key: ['from_id', 'to_id', 'kind'], columns: ['evidence'] };
const settings: Part = { place: 'settings', key: ['name'], columns: ['value'] };
const prompts: Part = { place: 'prompts', key: ['id'], columns: ['session_id', 'text'] };
const digests: Part = { place: 'digests', key: ['session_id'], columns: ['session_id', 'text', 'terms'] };

interface Walk {
  /** The first one's key gives the order. */
  readonly parts: readonly [Part, ...Part[]];
  readonly from: string;
}

const walks: readonly Walk[] = [
  {
    parts: [events, summaries],
    from: 'events LEFT JOIN summaries ON summaries.event_id = events.id WHERE 1',
  },
  { parts: [summaries], from: 'summaries WHERE event_id NOT IN (SELECT id FROM events)' },
  { parts: [edges], from: 'edges WHERE 1' },
  { parts: [settings], from: 'settings WHERE 1' },
  { parts: [prompts], from: 'prompts WHERE 1' },
  { parts: [digests], from: 'digests WHERE 1' },
];

/** The walks over tables that are there: a database of an older schema has not all of them. */
function walksOf(connection: Connection): readonly Walk[] {
  const rows = connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const tables = new Set(rows.map((row) => row.name));
  return walks.filter(({ parts }) => tables.has(parts[0].place));
}

type Key = readonly (string | number)[];

/**
 * Shows every stored text of a database to `cleanse`, `scrubBatchRows` rows at a time, and changes nothing. Answers how
 * many rows there are. @throws Failure `newer_schema`; whatever SQLite says of a file that it cannot read
 */
export function scanTexts(file: string, redactColumn: RedactColumn): number {
  const connection = new Connection(file, { readOnly: true });
  try {
    if (!isReadable(connection, file)) return 0;
    let rows = 0;
    for (const walk of walksOf(connection)) {
      for (let after: Key | null = []; after !== null; ) {
        const page = pageOf(connection, walk, after);
        for (const row of page) rows += redactColumn(groupOf(row, walk).map(({ text }) => text)).length;
        after = lastKeyOf(page, walk);
      }
    }
    return rows;
  } finally {
    connection.close();
  }
}

/**
 * Puts what `cleanse` answers in place of stored texts, and leaves no byte of the former in the file: a transaction a
 * page, with index entries and vectors; then the index and the file are written anew. Keys, pins and edges stay. Can be
 * interrupted and done again. For one who has made sure that no daemon has the database open.
 * @throws Failure `newer_schema`, `busy`
 */
export function scrubTexts(file: string, redactColumn: RedactColumn): void {
  const connection = new Connection(file, { readOnly: false });
  try {
    if (!isReadable(connection, file)) return;
    connection.exec('PRAGMA secure_delete = ON');
    const there = walksOf(connection);
    const hasDigests = there.some(({ parts }) => parts[0] === digests);
    for (const walk of there) {
      for (let after: Key | null = []; after !== null; ) {
        const from: Key = after;
        after = connection.transaction(() => {
          const page = pageOf(connection, walk, from);
          for (const row of page) {
            const group = groupOf(row, walk);
            if (rewrite(connection, group, redactColumn) && hasDigests) dropDigest(connection, group);
          }
          return lastKeyOf(page, walk);
        });
      }
    }
    connection.exec("INSERT INTO summaries_fts (summaries_fts) VALUES ('rebuild')");
    // For a database of before that: free pages can be given back bit by bit from then on.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    connection.exec('VACUUM');
    if (!emptyWal(connection)) throw busy(file);
  } catch (error) {
    throw /database (?:table )?is locked/.test(messageOf(error)) ? busy(file, error) : error;
  } finally {
    connection.close();
  }
}

interface Found {
  readonly part: Part;
  readonly key: Key;
  readonly text: TextRow;
}

function pageOf(connection: Connection, { parts, from }: Walk, after: Key): Row[] {
  const columns = parts.flatMap(({ place, key, columns: texts }) =>
    [...key, ...texts].map((name) => `${place}.${name} AS "${place}.${name}"`),
  );
  const key = parts[0].key.map((name) => `${parts[0].place}.${name}`).join(', ');
  const behind = after.length === 0 ? '' : `AND (${key}) > (${after.map(() => '?').join(', ')})`;
  const sql = `SELECT ${columns.join(', ')} FROM ${from} ${behind} ORDER BY ${key} LIMIT ?`;
  return connection.all(sql, ...after, scrubBatchRows);
}

/** Null when there can be no further page. */
function lastKeyOf(page: readonly Row[], { parts }: Walk): Key | null {
  const last = page.at(-1);
  return last === undefined || page.length < scrubBatchRows ? null : keyOf(last, parts[0]);
}

function groupOf(row: Row, { parts }: Walk): Found[] {
  return parts.flatMap((part) => {
    const key = keyOf(row, part);
    // An event that has no summary.
    if (key.length === 0) return [];
    const texts: Record<string, string> = {};
    for (const name of part.columns) {
      const value = row[`${part.place}.${name}`];
      if (typeof value === 'string') texts[name] = value;
    }
    return [{ part, key, text: { place: part.place, texts } }];
  });
}

function keyOf(row: Row, { place, key }: Part): Key {
  return key.flatMap((name) => {
    const value = row[`${place}.${name}`];
    return typeof value === 'number' || typeof value === 'string' ? [value] : [];
  });
}

/** Whether anything of the group was to be changed. */
function rewrite(connection: Connection, group: readonly Found[], redactColumn: RedactColumn): boolean {
  const changes = redactColumn(group.map(({ text }) => text));
  let changed = false;
  for (const [at, { part, key, text }] of group.entries()) {
    const change = changes[at];
    if (change === null || change === undefined) continue;
    changed = true;
    if (part === digests) continue;
    if (part === summaries) {
      const { text: words = '', terms = '' } = { ...text.texts, ...change };
      new SummaryTable(connection).reword(Number(key[0]), words, terms);
      continue;
    }
    const names = part.columns.filter((name) => change[name] !== undefined);
    const values = names.map((name) => change[name] ?? '');
    const set = names.map((name) => `${name} = ?`).join(', ');
    const where = part.key.map((name) => `${name} = ?`).join(' AND ');
    connection.run(`UPDATE ${part.place} SET ${set} WHERE ${where}`, ...values, ...key);
  }
  return changed;
}

/** A digest repeats words of its session's calls and prompts: it is made anew of what they say now. */
function dropDigest(connection: Connection, group: readonly Found[]): void {
  const session = group[0]?.text.texts['session_id'];
  if (session !== undefined) connection.run('DELETE FROM digests WHERE session_id = ?', session);
}

function busy(file: string, cause?: unknown): Failure {
  return new Failure('busy', `another process is at work in ${file}`, {
    safe: 'what was scrubbed already stays scrubbed',
    repair: 'let it end (a `memd drain`, or an SQL shell), then run: memd doctor --fix',
    cause,
  });
}
