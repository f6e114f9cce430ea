import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type Json, type JsonObject, objectAt, own, parseObject, stringAt } from '#core/event';
import { transcriptLineBytesMax } from '#core/limits';

const opencodeCopyTriesMax = 3;
const forkCandidatesMax = 8;

/** A session as OpenCode knows it. */
export interface StoredSession {
  readonly id: string;
  /** The folder in which it began. */
  readonly directory: string;
  /** The session that started it; null for one of the user's. */
  readonly startedBy: string | null;
  readonly ms: number;
  /** In the tables of OpenCode 2. */
  readonly isSecond?: boolean;
  /** The sessions that it may be a fork of, by its title or a column of OpenCode 2. */
  readonly forkOf?: readonly string[];
}

/** OpenCode's database as it was when it was opened. */
export interface OpencodeDatabase {
  sessions(): readonly StoredSession[];
  /** A session's parts in their order, as `transcript-opencode` takes them; null for one that is too long or no JSON. */
  records(session: StoredSession): Iterable<Json> | AsyncIterable<Json>;
  close(): void;
}

/**
 * Opens the database without changing it or its folder. A database without a log is read in place as an immutable one
 * (https://www.sqlite.org/uri.html#uriimmutable). Else it is copied with its log into a private folder, which is removed
 * while the copy is open. Reading a session fails if OpenCode has written meanwhile: the next run reads it.
 * @throws Error when it cannot be read
 */
export async function openDatabase(file: string): Promise<OpencodeDatabase> {
  // Loaded here: the hook does not need it.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const hasLog = (sizeOf(`${file}-wal`) ?? 0) > 0;
  const before = stateOf(file);
  const folder = hasLog ? copied(file) : null;
  const place = folder === null ? `${pathToFileURL(file).href}?immutable=1` : path.join(folder, 'copy.db');
  try {
    const database = new DatabaseSync(place, { readOnly: folder === null });
    // With an exclusive lock SQLite needs no shared memory and imports the copied log.
    if (folder !== null) database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE');
    const iterated = new Set<unknown>();
    function* select(sql: string, ...values: string[]): Generator<JsonObject | null> {
      const statement = database.prepare(sql);
      // A statement that is collected while its rows are read takes the process with it.
      iterated.add(statement);
      try {
        for (const row of statement.iterate(...values)) yield jsonIn(row);
      } finally {
        iterated.delete(statement);
      }
      if (folder === null && stateOf(file) !== before) throw new Error(isWriting);
    }
    const tables = new Set([...select(tableNames)].map((table) => stringAt(table ?? {}, 'name')));
    return {
      sessions: () => sessionsIn(select, tables),
      records: (session) => ownRecords(session, (one) => recordsOf(select, one)),
      close: () => database.close(),
    };
  } finally {
    if (folder !== null) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Of rows with one column, a JSON object: that object, or null if it is something else. */
type Select = (sql: string, ...values: string[]) => Iterable<JsonObject | null>;

const tableNames = "SELECT json_object('name', name) AS row FROM sqlite_schema WHERE type = 'table'";
const isWriting = 'OpenCode is writing it; run the backfill again when OpenCode is idle';

/** A session that OpenCode 2 has taken over is read from its tables: it goes on there. */
function sessionsIn(select: Select, tables: ReadonlySet<string | undefined>): StoredSession[] {
  const second = tables.has('session_v2') && tables.has('session_message') ? sessionsOf(select, true) : [];
  const taken = new Set(second.map(({ id }) => id));
  const first = tables.has('session') && tables.has('part') ? sessionsOf(select, false) : [];
  if (second.length === 0 && first.length === 0 && !tables.has('session') && !tables.has('session_v2'))
    throw new Error('its tables are those of an OpenCode version that this memd does not know');
  return [...second, ...first.filter(({ id }) => !taken.has(id))];
}

function sessionsOf(select: Select, isSecond: boolean): StoredSession[] {
  const table = isSecond ? 'session_v2' : 'session';
  const has = select(`SELECT json_object('name', name) AS row FROM pragma_table_info('${table}')`);
  const known = new Set([...has].map((row) => stringAt(row ?? {}, 'name')));
  const wanted = ['id', 'directory', 'parent_id', 'time_updated', 'time_created', 'title', 'fork_session_id'];
  const fields = wanted.filter((name) => known.has(name)).map((name) => `'${name}', ${name}`);
  const filled = isSecond ? 'WHERE id IN (SELECT session_id FROM session_message)' : '';
  const rows = [
    ...select(`SELECT json_object(${fields.join(', ')}) AS row FROM ${table} ${filled} ORDER BY id`),
  ];
  return rows.flatMap((row) => {
    const [id, directory] = row === null ? [] : [stringAt(row, 'id'), stringAt(row, 'directory')];
    if (row === null || !id || !directory) return [];
    const ms = typeof row.time_updated === 'number' ? row.time_updated : 0;
    const forkOf = forksOf(row, rows);
    const more = { ...(isSecond && { isSecond }), ...(forkOf.length > 0 && { forkOf }) };
    return [{ id, directory, startedBy: stringAt(row, 'parent_id') ?? null, ms, ...more }];
  });
}

/** OpenCode 1 only adds a number to the title of a fork; that of a fork's fork is higher. */
function forksOf(fork: JsonObject, rows: readonly (JsonObject | null)[]): readonly string[] {
  const named = stringAt(fork, 'fork_session_id');
  if (named) return [named];
  const [, title] = forkTitle.exec(stringAt(fork, 'title') ?? '') ?? [];
  if (title === undefined) return [];
  const like = rows.filter((row) => {
    const other = row === null || row === fork ? '' : (stringAt(row, 'title') ?? '');
    const isEarlier = Number(row?.time_created ?? 0) <= Number(fork.time_created ?? 0);
    return isEarlier && row?.directory === fork.directory && (forkTitle.exec(other)?.[1] ?? other) === title;
  });
  return like.slice(-forkCandidatesMax).map((row) => stringAt(row ?? {}, 'id') ?? '');
}

const forkTitle = /^(.+) \(fork #\d+\)$/;

function recordsOf(select: Select, session: StoredSession): Generator<Json> {
  return (session.isSecond ? secondRecords : firstRecords)(select, session);
}

/** Without what a fork has taken over from the session that it goes on from. */
function* ownRecords(
  session: StoredSession,
  read: (session: StoredSession) => Iterable<Json>,
): Generator<Json> {
  let [shared, forkOf] = [0, ''];
  for (const id of session.forkOf ?? []) {
    const length = sharedLength(read(session), read({ ...session, id }));
    if (length > shared) [shared, forkOf] = [length, id];
  }
  let at = 0;
  for (const record of read(session)) {
    at += 1;
    if (at > shared) yield forkOf !== '' && isObject(record) ? { ...record, forkOf } : record;
  }
}

/** With how many records of messages that say the same two sessions begin, whatever their ids and times. */
function sharedLength(one: Iterable<Json>, other: Iterable<Json>): number {
  const others = messagesOf(other);
  let length = 0;
  for (const message of messagesOf(one)) {
    const next = others.next();
    if (next.done === true || saidIn(message) !== saidIn(next.value)) break;
    length += message.length;
  }
  others.return(undefined);
  return length;
}

/** The records of each message together. */
function* messagesOf(records: Iterable<Json>): Generator<Json[]> {
  let message: Json[] = [];
  const id = (record: Json | undefined): Json => (isObject(record) ? (record.message ?? null) : null);
  for (const record of records) {
    if (message.length > 0 && id(record) !== id(message[0])) {
      yield message;
      message = [];
    }
    message.push(record);
  }
  if (message.length > 0) yield message;
}

function saidIn(message: readonly Json[]): string {
  return message.map(said).sort().join();
}

function said(record: Json): string {
  const { role = null, part = null } = isObject(record) ? record : {};
  if (!isObject(part)) return '';
  const { type = null, text = null, tool = null, callID = null, state } = part;
  return JSON.stringify([role, type, text, tool, callID, isObject(state) ? (state.input ?? null) : null]);
}

/** A value that is not JSON or too long becomes null. */
function bounded(data: string): string {
  return `CASE WHEN length(${data}) <= ${transcriptLineBytesMax} AND json_valid(${data}) THEN json(${data}) END`;
}

function* firstRecords(select: Select, { id, startedBy }: StoredSession): Generator<Json> {
  const of = (name: string): string => `json_extract(${bounded('m.data')}, '$.${name}')`;
  const message = `'role', ${of('role')}, 'message', m.id, 'parent', ${of('parentID')}`;
  // An error of the model is one of a message. What the user stopped has one too.
  const sql = `SELECT json_object('part', ${bounded('p.data')}, 'ms', m.time_created, 'partId', p.id, ${message}) AS row,
      m.time_created AS ms, m.id AS message, p.id AS part FROM part p JOIN message m ON m.id = p.message_id WHERE p.session_id = ?1
    UNION ALL SELECT json_object('part', json_object('type', 'error', 'text', ${of('error.data.message')}),
      'ms', coalesce(${of('time.completed')}, m.time_created), 'partId', m.id || ':error', ${message}), m.time_created, m.id, '~'
      FROM message m WHERE m.session_id = ?1 AND ${of('error.data.message')} <> '' AND ${of('error.name')} <> 'MessageAbortedError'
    ORDER BY ms, message, part`;
  for (const record of select(sql, id))
    yield isObject(record?.part) ? { opencode: 'part', session: id, startedBy, ...record } : null;
}

/**
 * OpenCode 2 keeps a whole message in a row, with its kind (from public descriptions of 2.0; not tested with OpenCode 2 itself).
 * Its kinds for the client's own notes are left out.
 */
function* secondRecords(select: Select, { id, startedBy }: StoredSession): Generator<Json> {
  const sql = `SELECT json_object('data', ${bounded('data')}, 'type', type, 'ms', time_created, 'id', id) AS row
    FROM session_message WHERE session_id = ? AND type IN ('user', 'assistant') ORDER BY seq`;
  let parent: string | null = null;
  for (const row of select(sql, id)) {
    const data = row === null ? undefined : objectAt(row, 'data');
    if (row === null || data === undefined) {
      yield null;
      continue;
    }
    const [message, role] = [stringAt(row, 'id') ?? '', stringAt(row, 'type') ?? ''];
    if (role === 'user') parent = message;
    const content =
      role === 'user' ? [{ type: 'text', text: own(data, 'text') ?? '' }] : own(data, 'content');
    for (const [at, part] of (Array.isArray(content) ? content : []).entries()) {
      const shared = { opencode: 'part', session: id, startedBy, role, ms: row.ms ?? null, message, parent };
      yield isObject(part) ? { ...shared, partId: `${message}:${at}`, part: firstPart(part) } : null;
    }
  }
}

/** A part of OpenCode 2 as OpenCode 1 has it. */
function firstPart(part: JsonObject): JsonObject {
  if (part.type !== 'tool') return part;
  const state = objectAt(part, 'state') ?? {};
  const said = own(state, 'output') ?? own(state, 'content') ?? '';
  return {
    ...{ type: 'tool', tool: own(part, 'name') ?? own(part, 'tool') ?? '', callID: own(part, 'id') ?? '' },
    state: { ...state, output: said, time: { end: own(objectAt(part, 'time') ?? {}, 'completed') ?? null } },
  };
}

/** The JSON object in the only column of a row. */
function jsonIn(row: unknown): JsonObject | null {
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
    throw new Error(isWriting);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function stateOf(file: string): string {
  return [file, `${file}-wal`]
    .map((each) => fs.statSync(each, { bigint: true, throwIfNoEntry: false }))
    .map((stat) => `${stat?.size} ${stat?.mtimeNs}`)
    .join(' ');
}

function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}
