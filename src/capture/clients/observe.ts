import { type ClientName, isObject, type Json } from '../../core/event/index.ts';
import { toolNameCharsMax } from '../../core/limits.ts';
import type { Adapted, Context, ReportedCall } from './client.ts';
import { isOwnTool } from './own-tools.ts';

/** A reported call as an observation: the tool's name within limits, the time normalized, ids unchanged. */
export function observe(client: ClientName, call: ReportedCall, context: Context): Adapted {
  const sessionId = call.sessionId ?? '';
  if (isOwnTool(call.tool))
    return { kind: 'ignored', reason: `own tool ${call.tool}`, sessionId, event: 'own-tool' };
  const observation = {
    tool: call.tool.slice(0, toolNameCharsMax),
    input: call.input ?? {},
    output: call.output,
    sessionId,
    toolUseId: call.toolUseId || null,
    ts: isoTime(call.ts) ?? isoTime(context.receivedAt) ?? context.receivedAt,
    client,
    isError: call.isError || saysError(call.output),
    cwd: call.cwd ?? context.cwd,
  };
  return { kind: 'call', observation };
}

/** MCP's mark of a failed call (CallToolResult.isError, modelcontextprotocol.io, server/tools). */
function saysError(output: Json): boolean {
  return isObject(output) && output.isError === true;
}

/** The last millisecond of the year 9999: past it, ISO 8601 needs a sign and more digits. */
const timeMsMax = 253_402_300_799_999;

/** ISO 8601, UTC, milliseconds; null when `value` is not a time. */
export function isoTime(value: Json | undefined): string | null {
  const ms = typeof value === 'string' ? parseIso(value) : value;
  if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0 || ms > timeMsMax) return null;
  return new Date(ms).toISOString();
}

/** `Date.parse` also takes "5" and "May 1"; only a full ISO date with a time counts. */
function parseIso(text: string): number {
  const form = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(Z|z|[+-]\d{2}:?\d{2})?$/.exec(
    text,
  );
  if (form === null) return Number.NaN;
  // Without a zone JavaScript would read local time; every client that was recorded means UTC.
  return Date.parse(form[1] === undefined ? `${text}Z` : text);
}
