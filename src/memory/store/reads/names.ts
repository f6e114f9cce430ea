import { nearest } from '#core/config';
import { noteTool } from '#core/event';
import { Failure } from '#core/platform';
import { shortSession } from '#core/rpc';
import type { Connection } from '../connection.ts';
import { text } from '../row.ts';
import { isNoHelper } from '../tables/copies.ts';

const prefixCharsMin = 4;
const namedMax = 5;

/**
 * The whole id of the session that `given` names: an id, the beginning of one, a memory of it (`#12`), or `last` for the user's own
 * session with the newest event.
 * @throws Failure `bad_request` that names sessions near it
 */
export function sessionNamed(connection: Connection, given: string): string {
  if (given === 'last') return newestOwn(connection);
  const whole = connection.get('SELECT 1 FROM events WHERE session_id = ? LIMIT 1', given);
  if (whole !== undefined && given !== '') return given;
  const sessions = newestFirst(connection);
  if (sessions.length === 0) throw noneYet();
  const found = sessions.filter((id) => given.length >= prefixCharsMin && id.startsWith(given));
  const own = found.length === 0 ? ofMemory(connection, given) : null;
  if (own !== null) return own;
  if (given.length < prefixCharsMin) {
    const repair = `give at least ${prefixCharsMin} characters of its id, or \`last\`; the newest are ${listed(sessions.map(shortSession))}`;
    throw unknown(`session ${shown(given)} is too short`, repair);
  }
  const [only, ...others] = found;
  if (only === undefined) throw noSession(given, sessions);
  if (others.length === 0) return only;
  throw unknown(
    `session ${shown(given)} is the beginning of ${found.length} ids`,
    `use one of ${listed(found)}`,
  );
}

/** The session of a memory, by its id as outlines and hits print it; null if it is none. */
function ofMemory(connection: Connection, given: string): string | null {
  const [, id] = /^#?(\d{1,15})$/.exec(given) ?? [];
  const sql = `SELECT e.session_id FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id = ?1 AND e.session_id <> ''
    UNION ALL SELECT session_id FROM digests WHERE id = ?1`;
  const row = id === undefined ? undefined : connection.get(sql, Number(id));
  return row === undefined ? null : text(row, 'session_id');
}

/** @throws Failure `bad_request` that names tools or clients near it; upper and lower case are the same */
export function mustBe(connection: Connection, column: 'tool' | 'client', given: string): void {
  const sql = `SELECT 1 FROM events WHERE ${column} = ? COLLATE NOCASE LIMIT 1`;
  if (connection.has(sql, given)) return;
  const all = `SELECT ${column} AS name FROM events GROUP BY ${column} ORDER BY count(*) DESC, ${column}`;
  const names = connection.texts(all);
  if (names.length === 0) throw unknown(`there is no ${column} ${shown(given)}`, 'nothing is stored yet');
  throw unknown(`there is no ${column} ${shown(given)}`, `use one of ${listed(nearFirst(given, names))}`);
}

function newestOwn(connection: Connection): string {
  const sessions = newestFirst(connection, isNoHelper);
  const foreign = connection.all(`SELECT DISTINCT session_id FROM events WHERE is_foreign <> 0
    AND author IS NOT (SELECT value FROM settings WHERE name = 'sync.self')`);
  const others = new Set(foreign.map((row) => text(row, 'session_id')));
  const ofUser = sessions.filter((id) => !others.has(id));
  // A note from the shell of another project's session brings that session's id.
  const isSession = `SELECT 1 FROM events WHERE session_id = ? AND tool <> '${noteTool}' LIMIT 1`;
  const own = ofUser.find((id) => connection.has(isSession, id)) ?? ofUser[0];
  if (own !== undefined) return own;
  if (sessions.length === 0) throw noneYet();
  throw unknown('this memory has only sessions that other authors recorded', `name one: ${listed(sessions)}`);
}

/** From an index, without a look at the events. */
function newestFirst(connection: Connection, fits = '1'): string[] {
  const sql = `SELECT session_id FROM events WHERE session_id <> '' AND ${fits} GROUP BY session_id ORDER BY max(ts) DESC, max(seq) DESC`;
  return connection.texts(sql);
}

function noneYet(): Failure {
  return unknown('this memory has no session yet', 'import earlier ones with `memd backfill`');
}

function noSession(given: string, sessions: readonly string[]): Failure {
  const starts = sessions.map((id) => id.slice(0, given.length));
  const near = nearest(given, starts);
  const first = sessions.filter((id) => near !== null && id.startsWith(near));
  return unknown(
    `there is no ${/^#?\d+$/.test(given) ? 'memory or ' : ''}session ${shown(given)}`,
    `the ${near === null ? 'newest' : 'nearest'} are ${listed([...new Set([...first, ...sessions].map(shortSession))])}`,
  );
}

function nearFirst(given: string, names: readonly string[]): string[] {
  const near = nearest(given, names);
  return [...new Set([...(near === null ? [] : [near]), ...names])];
}

function unknown(what: string, repair: string): Failure {
  return new Failure('bad_request', what, { repair });
}

function listed(names: readonly string[]): string {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : '';
  return `${names.slice(0, namedMax).join(', ')}${more}`;
}

function shown(given: string): string {
  return JSON.stringify(given.slice(0, 80));
}
