import { text } from '../row.ts';
import type { Store } from '../store.ts';

/** The time of the last event of each client, ISO 8601. Reads every event. */
export function lastCaptures({ connection }: Pick<Store, 'connection'>): Map<string, string> {
  const rows = connection.all('SELECT client, max(ts) AS ts FROM events GROUP BY client');
  return new Map(rows.map((row) => [text(row, 'client'), text(row, 'ts')]));
}
