import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type Json, parseObject, stringAt } from '../../../core/event/index.ts';
import { transcriptLineBytesMax } from '../../../core/limits.ts';

const opencodeCopyTriesMax = 3;

/** A session as OpenCode knows it. */
export interface StoredSession {
  readonly id: string;
  /** The folder in which it began. */
  readonly directory: string;
  /** Started by another session. */
  readonly isHelper: boolean;
  readonly ms: number;
}

/** OpenCode's database as it was when it was opened. */
export interface OpencodeDatabase {
  sessions(): readonly StoredSession[];
  /** A session's parts in their order, as `transcript-opencode` takes them; null for one that is too long or no JSON. */
  records(session: StoredSession): Iterable<Json>;
  close(): void;
}

/**
 * Opens the database without changing it or its folder. A database without a log is read in place as an immutable one
 * (https://www.sqlite.org/uri.html#uriimmutable). Else it is copied with its log into a private folder, which is removed
 * while the copy is open. If OpenCode writes meanwhile, SQLite may report damage, and the next run reads it.
 * @throws Error when it cannot be read
 */
export async function openOpencode(file: string): Promise<OpencodeDatabase> {
  // Loaded here: the hook does not need it.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const hasLog = (sizeOf(`${file}-wal`) ?? 0) > 0;
  const folder = hasLog ? copied(file) : null;
  const place = folder === null ? `${pathToFileURL(file).href}?immutable=1` : path.join(folder, 'copy.db');
  try {
    const database = new DatabaseSync(place, { readOnly: folder === null });
    // With an exclusive lock SQLite needs no shared memory and imports the copied log.
    if (folder !== null) database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
    const select = (sql: string, ...values: string[]): Iterable<unknown> =>
      database.prepare(sql).iterate(...values);
    return {
      sessions: () => [...sessionsIn(select)],
      records: (session) => recordsOf(select, session),
      close: () => database.close(),
    };
  } finally {
    if (folder !== null) fs.rmSync(folder, { recursive: true, force: true });
  }
}

type Select = (sql: string, ...values: string[]) => Iterable<unknown>;

function* sessionsIn(select: Select): Generator<StoredSession> {
  const sql =
    "SELECT json_object('id', id, 'directory', directory, 'parent', parent_id, 'ms', time_updated) AS row FROM session ORDER BY id";
  for (const row of select(sql)) {
    const session = jsonIn(row) ?? {};
    const id = stringAt(session, 'id');
    const directory = stringAt(session, 'directory');
    const ms = typeof session.ms === 'number' ? session.ms : 0;
    if (id && directory) yield { id, directory, isHelper: typeof session.parent === 'string', ms };
  }
}

function* recordsOf(select: Select, { id, isHelper }: StoredSession): Generator<Json> {
  // A value that is not JSON or too long becomes null.
  const bounded = (data: string): string =>
    `CASE WHEN length(${data}) <= ${transcriptLineBytesMax} AND json_valid(${data}) THEN json(${data}) END`;
  const sql = `SELECT json_object('part', ${bounded('p.data')}, 'role', json_extract(${bounded('m.data')}, '$.role'), 'ms', m.time_created,
    'message', m.id, 'partId', p.id, 'parent', json_extract(${bounded('m.data')}, '$.parentID')) AS row
    FROM part p JOIN message m ON m.id = p.message_id
    WHERE p.session_id = ? ORDER BY m.time_created, m.id, p.id`;
  for (const row of select(sql, id)) {
    const record = jsonIn(row);
    yield isObject(record?.part) ? { opencode: 'part', session: id, isHelper, ...record } : null;
  }
}

/** The JSON object in the only column of a row. */
function jsonIn(row: unknown) {
  const text: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'row') : null;
  return typeof text === 'string' ? parseObject(text) : null;
}

/** A folder with a consistent copy of the file and its log. @throws Error when they keep changing */
function copied(file: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-opencode-copy-'));
  try {
    for (let tries = 0; tries < opencodeCopyTriesMax; tries += 1) {
      const before = stateOf(file);
      for (const [from, to] of [
        [file, 'copy.db'],
        [`${file}-wal`, 'copy.db-wal'],
      ] as const)
        fs.copyFileSync(from, path.join(folder, to), fs.constants.COPYFILE_FICLONE);
      if (stateOf(file) === before) return folder;
    }
    throw new Error('OpenCode is writing it; run the backfill again when OpenCode is idle');
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function stateOf(file: string): string {
  return [file, `${file}-wal`]
    .map((each) => fs.statSync(each, { bigint: true }))
    .map(({ size, mtimeNs }) => `${size} ${mtimeNs}`)
    .join(' ');
}

function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}
