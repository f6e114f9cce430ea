import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import {
  noticesIn,
  type Payload,
  postToolUse,
  type Reported,
  type ReportedCall,
  readHookCall,
  readHookMessage,
  type TypedIn,
  without,
} from '../form/index.ts';
import { reportsIn } from './agent-reports.ts';

/** Claude Code: calls and what was said (recorded with 2.1.329). */
export const payload: Payload = {
  recognises: (payload) =>
    postToolUse.includes(stringAt(payload, 'hook_event_name') ?? '') || readHookMessage(payload) !== null,
  read: (payload, typedIn) =>
    readClaudeCode(payload) ?? readNotice(payload, typedIn) ?? readHookMessage(payload),
  pauses: ['Stop', 'StopFailure', 'SubagentStop', 'PreCompact', 'PostCompact', 'SessionEnd'],
};

/** A prompt that only says that work in the background has ended, or what a teammate says; further ones come with the transcript. */
function readNotice(payload: JsonObject, typedIn: TypedIn): Reported | null {
  const message = readHookMessage(payload);
  if (message?.role !== 'user' || typedIn(message.text) !== null) return null;
  const { text, sessionId, ts, cwd = null, turnId = null } = message;
  const [report = null] = reportsIn(text, { sessionId, ts, cwd, turnId });
  return noticesIn(text, { sessionId, ts, cwd })[0] ?? report;
}

function readClaudeCode(payload: JsonObject): ReportedCall | null {
  return readHookCall(payload, (response) => ({
    output: withoutEchoes(response, own(payload, 'tool_input')),
  }));
}

/** The response's names for what is in the input already. */
const echoes: readonly (readonly [response: string, input: string])[] = [
  ['oldString', 'old_string'],
  ['newString', 'new_string'],
  ['content', 'content'],
  ['prompt', 'prompt'],
  ['edits', 'edits'],
  ['new_source', 'new_source'],
  ['newTodos', 'todos'],
];

/**
 * A tool's response without the whole file before the change, and without what repeats the input.
 * `structuredPatch` stays: it is the change.
 */
export function withoutEchoes<T extends Json | undefined>(
  response: T,
  input: Json | undefined,
): T | JsonObject {
  if (!isObject(response)) return response;
  const rest = without(response, 'originalFile', 'original_file', 'updated_file');
  if (!isObject(input)) return rest;
  const repeated = echoes
    .filter(([said, first]) => same(own(rest, said), own(input, first)))
    .map(([said]) => said);
  return repeated.length === 0 ? rest : without(rest, ...repeated);
}

function same(said: Json | undefined, first: Json | undefined): boolean {
  if (said === undefined || first === undefined) return false;
  if (said === first) return true;
  return Array.isArray(said) && Array.isArray(first) && JSON.stringify(said) === JSON.stringify(first);
}
