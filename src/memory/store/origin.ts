/** Further columns of `events e` for the origin of a row. */
export const originColumns =
  ', iif(e.is_foreign, e.author, NULL) AS author, iif(e.is_foreign, e.device, NULL) AS device';

/** The same for a session, whose id is the SQL `session`: what another author recorded never joins an own session. */
export function sessionOriginColumns(session: string): string {
  const from = `FROM events WHERE session_id = ${session} AND session_id <> '' AND is_foreign <> 0 LIMIT 1`;
  return `, (SELECT author ${from}) AS author, (SELECT device ${from}) AS device`;
}
