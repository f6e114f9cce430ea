/** The authors whom `sync.trust` names: the engine keeps them here. */
export const trusted = `SELECT value FROM json_each(coalesce((SELECT value FROM settings WHERE name = 'sync.trust'), '[]'))`;

/** Whether a row of `table` is pinned by the user, or by an author who is trusted; a pin of anyone else is only shown. */
export function isPinned(table: string): string {
  return `(${table}.pinned <> 0 AND (${table}.pinned_by IS NULL OR ${table}.pinned_by IN (${trusted})))`;
}

/** Further columns of `events e` for the origin of a row. */
export const originColumns =
  ', iif(e.is_foreign, e.author, NULL) AS author, iif(e.is_foreign, e.device, NULL) AS device';

/** The same for a session, whose id is the SQL `session`: what another author recorded never joins an own session. */
export function sessionOriginColumns(session: string): string {
  const from = `FROM events WHERE session_id = ${session} AND session_id <> '' AND is_foreign <> 0 LIMIT 1`;
  return `, (SELECT author ${from}) AS author, (SELECT device ${from}) AS device`;
}
