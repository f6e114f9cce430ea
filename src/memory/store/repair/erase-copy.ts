import { messageOf } from '#core/platform';
import { type Connection, withConnection } from '../connection.ts';
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
  try {
    if (!isIn(file, trace)) return 'not-there';
    withConnection(file, { readOnly: false }, (connection) => {
      connection.exec('PRAGMA secure_delete = ON');
      const summaries = new SummaryTable({ connection });
      connection.transaction(() => {
        erasePrompts(connection, trace);
        if (hasEvent(connection, trace)) summaries.eraseEvent(trace.eventId, resummarise);
      });
      connection.exec('VACUUM');
      emptyWal(connection);
    });
    return 'erased';
  } catch (error) {
    // Most copies exist because they are damaged: the caller names the file.
    return { failed: messageOf(error) };
  }
}

/** Read-only, so that the copy does not change. */
function isIn(file: string, trace: Parameters<typeof eraseFromCopy>[1]): boolean {
  const hasTrace = (copy: Connection) => hasEvent(copy, trace) || promptsLike(copy, trace).length > 0;
  return withConnection(file, { readOnly: true }, hasTrace);
}

function hasEvent(connection: Connection, { eventId }: Pick<Trace, 'eventId'>): boolean {
  return connection.has('SELECT 1 FROM events WHERE id = ?', eventId);
}
