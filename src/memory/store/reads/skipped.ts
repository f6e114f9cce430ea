import { number, textOrNull } from '../row.ts';
import type { Store } from '../store.ts';

export interface SkipReason {
  /** The row's `last_error`; null if an operator skipped it. */
  readonly reason: string | null;
  readonly rows: number;
}

/** Why rows were skipped, the most frequent reason first. */
export function skipReasons({ connection }: Pick<Store, 'connection'>, limit: number): SkipReason[] {
  const sql = `SELECT last_error, count(*) AS n FROM events WHERE status = 'skipped'
    GROUP BY last_error ORDER BY n DESC, last_error LIMIT ?`;
  return connection
    .all(sql, limit)
    .map((row) => ({ reason: textOrNull(row, 'last_error'), rows: number(row, 'n') }));
}
