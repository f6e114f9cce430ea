import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import {
  errorText,
  type Ignored,
  idAt,
  ignored,
  isCopilots,
  type Payload,
  parsedJson,
  type ReportedCall,
  type ReportedMessage,
  readHookCall,
  readHookMessage,
  whereIn,
  without,
} from '../form/index.ts';

/**
 * Copilot CLI: hooks named in camelCase get camelCase payloads that name no event, hooks named in PascalCase
 * get Claude Code's shape with `tool_result`. A shell's exit status is in the text only
 * (recorded with 1.0.102).
 */
export const payload: Payload = {
  recognises: (payload) =>
    ('toolName' in payload && 'sessionId' in payload) || isPascal(payload) || readPrompt(payload) !== null,
  read: (payload) =>
    readCamel(payload) ?? readPrompt(payload) ?? readPascal(payload) ?? readHookMessage(payload),
  ignores: otherEvent,
};

function isPascal(payload: JsonObject): boolean {
  if (!stringAt(payload, 'hook_event_name')?.startsWith('PostToolUse')) return false;
  if ('tool_result' in payload) return true;
  return isCopilots(payload);
}

function readPascal(payload: JsonObject): ReportedCall | null {
  const call = readHookCall(payload, (response) => copilotResult(own(payload, 'tool_result') ?? response));
  if (call === null) return null;
  // The camelCase hooks and the transcript have this name.
  const tool = call.tool === 'Bash' ? 'bash' : call.tool;
  return { ...call, tool, input: parsedJson(call.input) };
}

/** The fields of a call that has not run yet; the payload names no event. */
const beforeKeys = ['sessionId', 'timestamp', 'cwd', 'toolName', 'toolArgs', 'toolCallId', 'transcriptPath'];

function readCamel(payload: JsonObject): ReportedCall | Ignored | null {
  const tool = stringAt(payload, 'toolName');
  if (!tool) return null;
  const error = own(payload, 'error') ?? null;
  const rest = without(payload, ...beforeKeys);
  if (Object.keys(rest).length === 0) return ignored('preToolUse event', payload);
  const result = copilotResult(own(payload, 'toolResult'));
  return {
    kind: 'call',
    tool,
    // Arguments may come as their JSON text; a patch is a text of its own.
    input: parsedJson(own(payload, 'toolArgs')),
    output: error === null ? (result.output ?? rest) : errorText(error),
    toolUseId: idAt(payload, 'toolCallId'),
    isError: error !== null || result.isError,
    ...whereIn(payload),
  };
}

/** `userPromptSubmitted`: the payload names no event, but no other one has just these fields. */
function readPrompt(payload: JsonObject): ReportedMessage | null {
  const text = stringAt(payload, 'prompt');
  const where = whereIn(payload);
  const isOther = Object.keys(without(payload, 'prompt', 'sessionId', 'timestamp', 'cwd')).length > 0;
  if (!text || where.sessionId === null || typeof where.ts !== 'number' || isOther) return null;
  return { kind: 'message', event: 'userPromptSubmitted', role: 'user', text, ...where };
}

/** The text for the model; the other fields repeat it. */
function copilotResult(result: Json | undefined): { output: Json | undefined; isError: boolean } {
  if (!isObject(result)) return { output: result, isError: shellFailed(result) };
  const type = stringAt(result, 'resultType') ?? stringAt(result, 'result_type') ?? 'success';
  const said = own(result, 'textResultForLlm') ?? own(result, 'text_result_for_llm');
  const output = typeof said === 'string' ? said : result;
  return { output, isError: type !== 'success' || shellFailed(output) };
}

/** The shell's trailer is the text's last line. */
export function shellFailed(output: Json | undefined): boolean {
  if (typeof output !== 'string') return false;
  const code = /<shellId: [^<>\n]{1,40} completed with exit code (-?\d+)>\s*$/.exec(output.slice(-200))?.[1];
  return code !== undefined && Number(code) !== 0;
}

/** What a session event of Copilot CLI carries; these payloads name no event at all. */
const copilotKeys =
  'prompt source initialPrompt reason stopReason error agentName trigger message notificationType'.split(' ');

function otherEvent(payload: JsonObject): string | null {
  if (stringAt(payload, 'sessionId') === undefined) return null;
  if (typeof own(payload, 'timestamp') !== 'number' || 'tool' in payload) return null;
  if (Object.keys(payload).some((key) => /^tool|Tool/.test(key))) return null;
  const key = copilotKeys.find((candidate) => candidate in payload);
  return key === undefined || isObject(own(payload, 'result')) ? null : `session event with ${key}`;
}
