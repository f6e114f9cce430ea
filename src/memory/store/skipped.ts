import { number, textOrNull } from './row.ts';
import type { Store } from './store.ts';

export interface SkipReason {
  /** As it stands in `last_error`; null when an operator skipped the row. */
  readonly reason: string | null;
  readonly rows: number;
}

/** Why rows were given up, the commonest reason first. */
export function skipReasons({ connection }: Pick<Store, 'connection'>, limit: number): SkipReason[] {
  const sql = `SELECT last_error, count(*) AS n FROM events WHERE status = 'skipped'
    GROUP BY last_error ORDER BY n DESC, last_error LIMIT ?`;
  return connection
    .all(sql, limit)
    .map((row) => ({ reason: textOrNull(row, 'last_error'), rows: number(row, 'n') }));
}
