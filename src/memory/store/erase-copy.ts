import { messageOf } from '../../core/platform/index.ts';
import { Connection } from './connection.ts';
import { emptyWal } from './erase.ts';
import { type Resummarise, SummaryTable } from './summaries.ts';

/** What became of an event in a copy of the database. */
export type ErasedFromCopy = 'erased' | 'not-there' | { readonly failed: string };

/**
 * Erases every byte of an event, its summary and its index entry from a copy of the database that no process has open.
 * Summaries that may quote it are written again. A copy without the event is not changed.
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
    // Most copies exist because they are damaged: the caller names the file.
    return { failed: messageOf(error) };
  } finally {
    connection?.close();
  }
}

/** Read-only, so that the copy does not change. */
function isIn(file: string, eventId: string): boolean {
  const connection = new Connection(file, { readOnly: true });
  try {
    return connection.get('SELECT 1 FROM events WHERE id = ?', eventId) !== undefined;
  } finally {
    connection.close();
  }
}
