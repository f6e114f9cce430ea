import { messageOf } from '../../core/platform/index.ts';
import { Connection } from './connection.ts';
import { emptyWal } from './erase.ts';
import { type Resummarise, SummaryTable } from './summaries.ts';

/** What became of an event in a copy of the database. */
export type ErasedFromCopy = 'erased' | 'not-there' | { readonly failed: string };

/**
 * Erases an event, with all that was made of it, from a copy of the database that nobody has open: its rows, its index
 * entry, and every byte of them; what may quote it is told anew. A copy that does not hold it is not written to.
 */
export function eraseFromCopy(file: string, eventId: string, resummarise: Resummarise): ErasedFromCopy {
  let connection: Connection | null = null;
  try {
    if (!isIn(file, eventId)) return 'not-there';
    connection = new Connection(file, { readOnly: false });
    connection.exec('PRAGMA secure_delete = ON');
    const summaries = new SummaryTable(connection);
    connection.transaction(() => summaries.eraseEvent(eventId, resummarise));
    connection.exec('VACUUM');
    emptyWal(connection);
    return 'erased';
  } catch (error) {
    // Damage is why most copies were laid aside; whoever asked is told which one could not be worked on.
    return { failed: messageOf(error) };
  } finally {
    connection?.close();
  }
}

/** Read-only: to look must not change a copy. */
function isIn(file: string, eventId: string): boolean {
  const connection = new Connection(file, { readOnly: true });
  try {
    return connection.get('SELECT 1 FROM events WHERE id = ?', eventId) !== undefined;
  } finally {
    connection.close();
  }
}
