import { text } from './row.ts';
import type { Store } from './store.ts';

/** When each of the assistants was last captured, as ISO 8601; one that never was is missing. Looks at every event. */
export function lastCaptures({ connection }: Pick<Store, 'connection'>): Map<string, string> {
  const rows = connection.all('SELECT client, max(ts) AS ts FROM events GROUP BY client');
  return new Map(rows.map((row) => [text(row, 'client'), text(row, 'ts')]));
}
