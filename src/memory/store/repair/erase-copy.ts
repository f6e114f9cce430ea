import { messageOf } from '../../../core/platform/index.ts';
import { Connection } from '../connection.ts';
import { type Resummarise, SummaryTable } from '../tables/summaries.ts';
import { emptyWal, erasePrompts, promptsLike, type Trace } from './erase.ts';

/** What became of an event in a copy of the database. */
export type ErasedFromCopy = 'erased' | 'not-there' | { readonly failed: string };

/**
 * Erases every byte of an event, its summary and its index entry from a copy of the database that no process has open.
 * Summaries that may quote it are written again. A copy without the event is not changed.
 */
export function eraseFromCopy(
  file: string,
  trace: Pick<Trace, 'eventId' | 'sessionId' | 'payloadJson'>,
  resummarise: Resummarise,
): ErasedFromCopy {
  let connection: Connection | null = null;
  try {
    if (!isIn(file, trace)) return 'not-there';
    connection = new Connection(file, { readOnly: false });
    connection.exec('PRAGMA secure_delete = ON');
    const summaries = new SummaryTable({ connection });
    const copy = connection;
    copy.transaction(() => {
      erasePrompts(copy, trace);
      if (hasEvent(copy, trace)) summaries.eraseEvent(trace.eventId, resummarise);
    });
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
function isIn(file: string, trace: Parameters<typeof eraseFromCopy>[1]): boolean {
  const connection = new Connection(file, { readOnly: true });
  try {
    return hasEvent(connection, trace) || promptsLike(connection, trace).length > 0;
  } finally {
    connection.close();
  }
}

function hasEvent(connection: Connection, { eventId }: Pick<Trace, 'eventId'>): boolean {
  return connection.get('SELECT 1 FROM events WHERE id = ?', eventId) !== undefined;
}
