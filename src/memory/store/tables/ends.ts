import { type Ended, endNoticeTool, type Payload, type ToolEvent } from '#core/event';
import { endOf, parsePayload, readCall, reportsEnds, startedTask, type TaskEnd } from '#reading/call';
import type { Connection } from '../connection.ts';
import { number, rowReader, text } from '../row.ts';
import { payloadOf } from './payload.ts';

/** Newest commands of a session that name the id of the work. */
const candidatesMax = 64;

const readStart = rowReader({ id: text, payloadJson: text });

/**
 * Adds the end that an event reports to the call that started the work, as `ended` in its payload. That call is summarised again, and the
 * digest of its session written again. Does nothing for other events, and a second time.
 */
export function joinEnd(connection: Connection, event: ToolEvent): void {
  const payload = payloadOf(event);
  // A notification is no event.
  const id = event.tool === endNoticeTool ? null : event.id;
  if (payload.message !== undefined || !reportsEnds(payload.tool) || payload.sessionId === '') return;
  // It was forgotten.
  if (id !== null && !connection.has('SELECT 1 FROM events WHERE id = ?', id)) return;
  const end = endOf(readCall(payload));
  if (end === null) return;
  const start = startOf(connection, payload, end, id);
  if (start === null) return;
  const ended = joined(start.payload.ended, end, id);
  const sql = `UPDATE events SET is_error = ?1, status = 'raw', lease_owner = NULL, lease_until = 0,
      payload_json = json_set(payload_json, '$.ended', json(?2))
    WHERE id = ?3 AND shrunk <= 0 AND payload_json -> '$.ended' IS NOT json(?2)`;
  const isChanged = connection.run(sql, ended.failed === true ? 1 : 0, JSON.stringify(ended), start.id) > 0;
  if (isChanged) connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', payload.sessionId);
}

/** One report may have the exit status, another one the output. */
function joined(known: Ended | undefined, { failed, exitCode, output }: TaskEnd, id: string | null): Ended {
  const isFuller = output !== '' || known === undefined;
  return {
    by: isFuller ? id : known.by,
    failed: failed ?? known?.failed ?? null,
    exitCode: exitCode ?? known?.exitCode ?? null,
    output: isFuller ? output : known.output,
  };
}

/** The last call of the session that started the work of this id, before its end was reported. */
function startOf(
  connection: Connection,
  { sessionId, ts }: Payload,
  { task, startedBy }: TaskEnd,
  id: string | null,
): { readonly id: string; readonly payload: Payload } | null {
  const sql = `SELECT id, payload_json FROM events WHERE session_id = ?1 AND kind = 'call' AND ts <= ?2 AND id IS NOT ?3
      AND (tool_use_id = ?4 OR instr(payload_json, ?5) > 0) ORDER BY ts DESC, seq DESC LIMIT ${candidatesMax}`;
  for (const row of connection.all(sql, sessionId, ts, id, startedBy, task ?? '\0').map(readStart)) {
    const parsed = parsePayload(row.payloadJson);
    // A look at the work is not its start.
    if (!('payload' in parsed) || reportsEnds(parsed.payload.tool)) continue;
    const started = startedTask(readCall(parsed.payload));
    const isNamed = startedBy !== null && parsed.payload.toolUseId === startedBy;
    const isIt = started !== null && (isNamed || (task !== null && started.task === task));
    if (isIt) return { id: row.id, payload: parsed.payload };
  }
  return null;
}

/** Takes the end that a forgotten event reported from the calls that started the work. Returns their summaries with what is left of their payloads. */
export function removeEnd(connection: Connection, eventId: string): ReturnType<typeof readLeft>[] {
  // A draft on its way may quote it: without the lease it is not stored.
  const sql = `UPDATE events SET payload_json = json_remove(payload_json, '$.ended'), is_error = coalesce(payload_json ->> '$.isError', 0),
      lease_owner = NULL, lease_until = 0
    WHERE session_id = (SELECT session_id FROM events WHERE id = ?1)
      AND CASE WHEN json_valid(payload_json) THEN payload_json ->> '$.ended.by' END = ?1 RETURNING id`;
  const ids = JSON.stringify(connection.texts(sql, eventId));
  const left = `SELECT s.id AS summary_id, e.payload_json FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE e.id IN (SELECT value FROM json_each(?))`;
  return connection.all(left, ids).map(readLeft);
}

const readLeft = rowReader({ summaryId: number, payloadJson: text });
