import type { Ignored, Reported, ReportedCall, ReportedMessage } from '#assistants/form';
import {
  apiErrorLead,
  type ClientName,
  isObject,
  type Json,
  messageTools,
  noteTool,
  type Observation,
} from '#core/event';
import { toolNameCharsMax } from '#core/limits';
import { saysRefused, textOf } from '#reading/call';
import { said } from './noise.ts';
import { showsOwnOutput } from './own-output.ts';
import { isOwnTool, ownToolName } from './own-tools.ts';

/** What the hook knows in addition to the payload. */
export interface Context {
  /** The assistant's name, when the hook was installed with one (`--client`). */
  readonly client?: string | undefined;
  /** ISO 8601: the time of a call whose payload has none. */
  readonly receivedAt: string;
  /** The hook's own working directory, used when the payload names none. */
  readonly cwd: string | null;
  /** Names this run of the hook, the same on every way that it tries. */
  readonly attempt?: string | undefined;
}

export type Adapted = { readonly kind: 'observation'; readonly observation: Observation } | Ignored;

/** A reported call or message as an observation. */
export function observed(client: ClientName, reported: Reported, context: Context): Adapted {
  return reported.kind === 'call'
    ? observe(client, reported, context)
    : observeMessage(client, reported, context);
}

/** A reported call as an observation: the tool's name within limits, the time normalized, ids unchanged. */
function observe(client: ClientName, call: ReportedCall, context: Context): Adapted {
  const sessionId = call.sessionId ?? '';
  if (isOwnTool(call.tool))
    return {
      kind: 'ignored',
      reason: `own tool ${call.tool}`,
      sessionId,
      event: 'own-tool',
      tool: ownToolName(call.tool),
    };
  if (showsOwnOutput(call.tool, call.input, call.cwd ?? context.cwd))
    return { kind: 'ignored', reason: "memd's own output", sessionId, event: 'own-output' };
  const failed = call.isError || saysError(call.output);
  const refused = call.refused === true || (failed && saysRefused(textOf(call.output, 0)));
  const observation = {
    tool: call.tool.slice(0, toolNameCharsMax),
    input: call.input ?? {},
    output: call.output,
    sessionId,
    toolUseId: call.toolUseId || null,
    client,
    isError: !refused && failed,
    cwd: call.cwd ?? context.cwd,
    ...(call.parent && { parent: call.parent }),
    ...(call.unfinished && { unfinished: call.unfinished }),
    ...(refused && { refused }),
    ...moment(call.ts, context),
  };
  return { kind: 'observation', observation };
}

/** A reported message as an observation; ignored when nobody said it. */
function observeMessage(client: ClientName, message: ReportedMessage, context: Context): Adapted {
  const { role, parent, rescued, isError = false, note } = message;
  const sessionId = message.sessionId ?? '';
  // No client adds to a note.
  const words = note === undefined ? said(role, message.text) : message.text.trim() || null;
  if (words === null)
    return { kind: 'ignored', reason: 'a message that nobody wrote', sessionId, event: message.event ?? '' };
  const text = isError ? apiErrorLead + words.replace(clientLead, '$1') : words;
  const observation = {
    tool: note === undefined ? messageTools[role] : noteTool,
    input: note?.isPinned ? { pin: true, ...(note.rule && { rule: note.rule }) } : {},
    output: text,
    sessionId,
    toolUseId: message.messageId || null,
    client,
    isError,
    cwd: message.cwd ?? context.cwd,
    ...(parent && { parent }),
    ...(rescued && { rescued }),
    ...moment(message.ts, context),
    message: { role, turnId: message.turnId || null, agentId: message.agentId || null },
  };
  return { kind: 'observation', observation };
}

const clientLead = /^\[API Error:\s*([\s\S]*)\]$|^API Error:\s*/i;

/** The client's time, else the hook's, with the run of the hook that stands for it: two ways may read the clock at different times. */
function moment(
  reported: Json | undefined,
  { receivedAt, attempt }: Context,
): Pick<Observation, 'ts' | 'attempt'> {
  const own = isoTime(reported);
  if (own !== null) return { ts: own };
  return { ts: isoTime(receivedAt) ?? receivedAt, ...(attempt === undefined ? {} : { attempt }) };
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
