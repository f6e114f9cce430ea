import { number, rowReader, textOrNull } from '../row.ts';
import type { Store } from '../store.ts';

/** `reason` is null if an operator skipped the rows. */
const readReason = rowReader({ reason: textOrNull, rows: number });

/** Why rows were skipped, the most frequent reason first. */
export function skipReasons({ connection }: Pick<Store, 'connection'>, limit: number) {
  const sql = `SELECT last_error AS reason, count(*) AS rows FROM events WHERE status = 'skipped'
    GROUP BY last_error ORDER BY count(*) DESC, last_error LIMIT ?`;
  return connection.all(sql, limit).map(readReason);
}
