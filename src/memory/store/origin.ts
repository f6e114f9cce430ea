import type { Connection } from './connection.ts';

/** Further columns of `events e` for the origin of a row. */
export function originColumns(connection: Connection): string {
  return columns(connection, (name) => `iif(e.is_foreign, e.${name}, NULL)`);
}

/** The same for a session, whose id is the SQL `session`: what another author recorded never joins an own session. */
export function sessionOriginColumns(connection: Connection, session: string): string {
  const from = `FROM events WHERE session_id = ${session} AND session_id <> '' AND is_foreign <> 0 LIMIT 1`;
  return columns(connection, (name) => `(SELECT ${name} ${from})`);
}

/** A database that no daemon has opened since an older version has no other authors. */
function columns(connection: Connection, sqlOf: (name: string) => string): string {
  if (!connection.hasColumn('events', 'is_foreign')) return '';
  return ['author', 'device'].map((name) => `, ${sqlOf(name)} AS ${name}`).join('');
}
