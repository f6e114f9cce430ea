import type { Connection } from './connection.ts';
import type { Row } from './row.ts';

/** Who recorded a row, and on which device, if that was another author. It is read with the row, so that every interface has it. */
export interface Origin {
  readonly author?: string;
  readonly device?: string;
}

const names = ['author', 'device'] as const;

/** Further columns of `events e` for `readOrigin`. */
export function originColumns(connection: Connection): string {
  return columns(connection, (name) => `iif(e.is_foreign, e.${name}, NULL)`);
}

/** The same for a session, whose id is the SQL `session`: what another author recorded never joins an own session. */
export function sessionOriginColumns(connection: Connection, session: string): string {
  return columns(
    connection,
    (name) =>
      `(SELECT ${name} FROM events WHERE session_id = ${session} AND session_id <> '' AND is_foreign <> 0 LIMIT 1)`,
  );
}

export function readOrigin(row: Row): Origin {
  const { author, device } = row;
  return {
    ...(typeof author === 'string' && { author }),
    ...(typeof device === 'string' && { device }),
  };
}

/** What `read` gives, with the origin. */
export function withOrigin<T extends object>(read: (row: Row) => T): (row: Row) => T & Origin {
  return (row) => ({ ...read(row), ...readOrigin(row) });
}

/** A database that no daemon has opened since an older version has no other authors. */
function columns(connection: Connection, sqlOf: (name: string) => string): string {
  if (!connection.hasColumn('events', 'is_foreign')) return '';
  return names.map((name) => `, ${sqlOf(name)} AS ${name}`).join('');
}
