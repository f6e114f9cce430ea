import { Failure, messageOf } from '#core/platform';
import { Connection, withConnection } from '../connection.ts';
import type { Row } from '../row.ts';
import { isReadable } from '../schema/migrate.ts';
import { SummaryTable } from '../tables/summaries.ts';
import { emptyWal } from './erase.ts';

export const scrubBatchRows = 128;

/** The tables with texts from outside. */
export type TextTable = 'events' | 'summaries' | 'edges' | 'settings' | 'prompts' | 'digests' | 'accounts';

/** The texts of one row by column, without columns that hold no text. */
export interface TextRow {
  readonly table: TextTable;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Redacts rows that belong together (an event and its summary, or one row). Returns for each the new texts by column, or null
 * if it can stay.
 */
export type RedactRows = (group: readonly TextRow[]) => readonly (Readonly<Record<string, string>> | null)[];

interface Part {
  readonly table: TextTable;
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

const events: Part = {
  table: 'events',
  key: ['seq'],
  columns: ['session_id', 'tool', 'tool_use_id', 'turn_id', 'payload_json', 'last_error'],
};
const summaries: Part = { table: 'summaries', key: ['id'], columns: ['text', 'terms'] };
const edges: Part = { table: 'edges', key: ['from_id', 'to_id', 'kind'], columns: ['evidence'] };
const settings: Part = { table: 'settings', key: ['name'], columns: ['value'] };
const prompts: Part = { table: 'prompts', key: ['id'], columns: ['session_id', 'text'] };
const digests: Part = { table: 'digests', key: ['session_id'], columns: ['session_id', 'text', 'terms'] };
const accounts: Part = { table: 'accounts', key: ['session_id'], columns: ['session_id', 'account'] };

interface Walk {
  /** Ordered by the key of the first part. */
  readonly parts: readonly [Part, ...Part[]];
  readonly from: string;
}

const withSummary = 'events LEFT JOIN summaries ON summaries.event_id = events.id WHERE 1';
const walks: readonly Walk[] = [
  { parts: [events, summaries], from: withSummary },
  { parts: [summaries], from: 'summaries WHERE event_id NOT IN (SELECT id FROM events)' },
  ...[edges, settings, prompts, digests, accounts].map(
    (part): Walk => ({ parts: [part], from: `${part.table} WHERE 1` }),
  ),
];

/** The walks over existing tables and columns: a database of an older schema lacks some. */
function walksOf(connection: Connection): readonly Walk[] {
  const existing = (part: Part): Part => ({
    ...part,
    columns: part.columns.filter((name) => connection.hasColumn(part.table, name)),
  });
  return walks
    .filter(({ parts }) => connection.hasTable(parts[0].table))
    .map(({ parts: [first, ...others], from }) => ({
      parts: [existing(first), ...others.map(existing)],
      from,
    }));
}

type Key = readonly (string | number)[];

/**
 * Passes every stored text of a database to `redactRows`, `scrubBatchRows` rows at a time, and changes nothing. Returns the
 * number of rows. @throws Failure `newer_schema`; SQLite's error for a file that it cannot read
 */
export function scanTexts(file: string, redactRows: RedactRows): number {
  return withConnection(file, { readOnly: true }, (connection) => {
    if (!isReadable(connection, file)) return 0;
    let rows = 0;
    for (const walk of walksOf(connection)) {
      for (let after: Key | null = []; after !== null; ) {
        const page = pageOf(connection, walk, after);
        for (const row of page) rows += redactRows(groupOf(row, walk).map(({ text }) => text)).length;
        after = lastKeyOf(page, walk);
      }
    }
    return rows;
  });
}

/**
 * Replaces stored texts by what `redactRows` returns and leaves no byte of the former ones in the file: one transaction for
 * each page, with index entries and vectors; then the index and the file are rewritten. Keys, pins and edges stay. It can be
 * interrupted and repeated. Only if no daemon has the database open.
 * @throws Failure `newer_schema`, `busy`
 */
export function scrubTexts(file: string, redactRows: RedactRows): void {
  const connection = new Connection(file, { readOnly: false });
  try {
    if (!isReadable(connection, file)) return;
    connection.exec('PRAGMA secure_delete = ON');
    const existing = walksOf(connection);
    const hasDigests = existing.some(({ parts }) => parts[0].table === 'digests');
    for (const walk of existing) {
      for (let after: Key | null = []; after !== null; ) {
        const from: Key = after;
        after = connection.transaction(() => {
          const page = pageOf(connection, walk, from);
          for (const row of page) {
            const group = groupOf(row, walk);
            if (rewrite(connection, group, redactRows) && hasDigests) dropDigest(connection, group);
          }
          return lastKeyOf(page, walk);
        });
      }
    }
    connection.exec("INSERT INTO summaries_fts (summaries_fts) VALUES ('rebuild')");
    // Takes effect at VACUUM, for a database of an older version.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
    connection.exec('VACUUM');
    if (!emptyWal(connection)) throw busy(file);
  } catch (error) {
    throw /database (?:table )?is locked/.test(messageOf(error)) ? busy(file, error) : error;
  } finally {
    connection.close();
  }
}

function pageOf(connection: Connection, { parts, from }: Walk, after: Key): Row[] {
  const columns = parts.flatMap(({ table, key, columns: texts }) =>
    [...key, ...texts].map((name) => `${table}.${name} AS "${table}.${name}"`),
  );
  const key = parts[0].key.map((name) => `${parts[0].table}.${name}`).join(', ');
  const behind = after.length === 0 ? '' : `AND (${key}) > (${after.map(() => '?').join(', ')})`;
  const sql = `SELECT ${columns.join(', ')} FROM ${from} ${behind} ORDER BY ${key} LIMIT ?`;
  return connection.all(sql, ...after, scrubBatchRows);
}

/** Null after the last page. */
function lastKeyOf(page: readonly Row[], { parts }: Walk): Key | null {
  const last = page.at(-1);
  return last === undefined || page.length < scrubBatchRows ? null : keyOf(last, parts[0]);
}

function groupOf(row: Row, { parts }: Walk) {
  return parts.flatMap((part) => {
    const key = keyOf(row, part);
    // An event without a summary.
    if (key.length === 0) return [];
    const texts: Record<string, string> = {};
    for (const name of part.columns) {
      const value = row[`${part.table}.${name}`];
      if (typeof value === 'string') texts[name] = value;
    }
    return [{ part, key, text: { table: part.table, texts } }];
  });
}

function keyOf(row: Row, { table, key }: Part): Key {
  return key.flatMap((name) => {
    const value = row[`${table}.${name}`];
    return typeof value === 'number' || typeof value === 'string' ? [value] : [];
  });
}

/** Returns whether anything was changed. */
function rewrite(connection: Connection, group: ReturnType<typeof groupOf>, redactRows: RedactRows): boolean {
  const changes = redactRows(group.map(({ text }) => text));
  let changed = false;
  for (const [at, { part, key, text }] of group.entries()) {
    // The index holds a message's own text: it follows a changed payload.
    const change = changes[at] ?? (changed && part === summaries ? {} : null);
    if (change === null) continue;
    changed = true;
    if (part.table === 'digests' || part.table === 'accounts') continue;
    if (part.table === 'summaries') {
      const { text: words = '', terms = '' } = { ...text.texts, ...change };
      new SummaryTable({ connection }).reword(Number(key[0]), words, terms);
      continue;
    }
    const names = part.columns.filter((name) => change[name] !== undefined);
    const values = names.map((name) => change[name] ?? '');
    const set = names.map((name) => `${name} = ?`).join(', ');
    const where = part.key.map((name) => `${name} = ?`).join(' AND ');
    connection.run(`UPDATE ${part.table} SET ${set} WHERE ${where}`, ...values, ...key);
  }
  return changed;
}

/** A digest quotes its session's calls and prompts: it is removed and written again. */
function dropDigest(connection: Connection, group: ReturnType<typeof groupOf>): void {
  const session = group[0]?.text.texts['session_id'];
  if (session !== undefined) connection.run('DELETE FROM digests WHERE session_id = ?', session);
}

function busy(file: string, cause?: unknown): Failure {
  return new Failure('busy', `another process is using ${file}`, {
    safe: 'what was scrubbed already stays scrubbed',
    repair: 'wait until it has ended (a `memd drain`, or an SQL shell), then run `memd doctor --fix`',
    cause,
  });
}
