import { leftOutMark, type ToolEvent } from '#core/event';
import { text } from '../row.ts';
import { Table } from './table.ts';

/** A placeholder has no text to compare, so time finds the whole event where its client gives no turn and no call id. */
const nearMs = 10_000;

/** Whether an earlier version left out the input or the output of this event. */
export function isIncomplete({ input, output }: Pick<ToolEvent, 'input' | 'output'>): boolean {
  return input === leftOutMark || output === leftOutMark;
}

/** Replaces placeholders by the whole events when these come. */
export class IncompleteEvents extends Table {
  count(): number {
    return this.connection.number('SELECT count(*) AS n FROM incomplete');
  }

  /** Whether the event of this id is stored, and incomplete. */
  has(eventId: string): boolean {
    return this.connection.has('SELECT 1 FROM incomplete WHERE event_id = ?', eventId);
  }

  /**
   * The placeholder under another id that stands for a whole event, or null: a message of the same speaker and turn, or what happened at
   * nearly the same time where the client gives neither turn nor call id.
   */
  placeholderOf(event: ToolEvent): string | null {
    const { id, sessionId, tool, ts, message } = event;
    const turn = message?.turnId ?? null;
    const sql = `SELECT e.id FROM incomplete i JOIN events e ON e.id = i.event_id
      WHERE e.id <> ?1 AND e.session_id = ?2 AND e.tool = ?3 AND (?4 IS NOT NULL OR e.tool_use_id IS NULL)
        AND CASE WHEN ?4 IS NOT NULL AND e.turn_id IS NOT NULL THEN e.turn_id = ?4
          ELSE abs(unixepoch(e.ts, 'subsec') - unixepoch(?5, 'subsec')) * 1000 <= ${nearMs} END
      ORDER BY abs(unixepoch(e.ts, 'subsec') - unixepoch(?5, 'subsec')), e.seq LIMIT 1`;
    return this.connection.one(sql, (row) => text(row, 'id'), id, sessionId, tool, turn, ts);
  }

  /** The whole message that is stored for a placeholder, by turn; null when there is none. */
  wholeOf({ id, sessionId, tool, message }: ToolEvent): string | null {
    if (message === undefined || message.turnId === null) return null;
    const sql = `SELECT id FROM events WHERE id <> ?1 AND session_id = ?2 AND tool = ?3 AND turn_id = ?4
      AND id NOT IN (SELECT event_id FROM incomplete) LIMIT 1`;
    return this.connection.one(sql, (row) => text(row, 'id'), id, sessionId, tool, message.turnId);
  }

  /** Removes a placeholder whose whole event is `eventId`; under the placeholder's id nothing is stored again. */
  remove(placeholder: string, eventId: string): void {
    this.connection.run('DELETE FROM events WHERE id = ?', placeholder);
    this.connection.run('INSERT OR IGNORE INTO paired (id, event_id) VALUES (?, ?)', placeholder, eventId);
  }

  /** Fills in a placeholder under the same id. It is summarised again; a drainer that holds it finds it gone. */
  fill(event: ToolEvent, payloadJson: string): void {
    const sql = `UPDATE events SET payload_json = ?, is_error = ?, status = 'raw', attempts = 0, last_error = NULL,
        lease_owner = NULL, lease_until = 0 WHERE id = ?`;
    this.connection.run(sql, payloadJson, event.isError ? 1 : 0, event.id);
  }
}
