import * as v from 'valibot';
import { isObject, type Json, type JsonObject, own, stringAt } from '../../core/event/index.ts';
import type { Call, Client, Told } from './client.ts';
import { errorText, id, json, name, shaped, text, without } from './fields.ts';
import { callOf, hookCallOf } from './hook-call.ts';
import { parsedJson } from './parsed-json.ts';

/**
 * Copilot CLI: hooks named in camelCase get camelCase payloads that name no event, hooks named in PascalCase
 * get Claude Code's shape with `tool_result`. A shell's exit status is in the text only
 * (recorded with 1.0.102; CLIENTS.md, section 2).
 */
export const copilotCli: Client = {
  name: 'copilot-cli',
  recognises: (payload) => ('toolName' in payload && 'sessionId' in payload) || isPascal(payload),
  tell: (payload) => readCamel(payload) ?? readPascal(payload),
};

/** Unlike Claude Code it tells a time, and neither a transcript nor a call id. */
function isPascal(payload: JsonObject): boolean {
  if (!stringAt(payload, 'hook_event_name')?.startsWith('PostToolUse')) return false;
  if ('tool_result' in payload) return true;
  return 'timestamp' in payload && !('transcript_path' in payload) && !('tool_use_id' in payload);
}

function readPascal(payload: JsonObject): Told {
  const hook = hookCallOf(payload, ['PostToolUse', 'PostToolUseFailure']);
  if (hook === null) return null;
  const result = copilotResult(hook.tool_result ?? hook.tool_response);
  const call = callOf(payload, hook, result);
  return { call: { ...call, tool: plainName(call.tool), input: parsedJson(hook.tool_input) } };
}

/** The name that the other kind of hook and the transcript have for a tool; of the others it is the same, or not known. */
function plainName(tool: string): string {
  return tool === 'Bash' ? 'bash' : tool;
}

const camel = v.object({
  toolName: name,
  toolArgs: json,
  toolResult: json,
  error: json,
  sessionId: id,
  toolCallId: id,
  timestamp: json,
  cwd: text,
});

/** What a call that has not run yet tells; the payload names no event. */
const beforeKeys = ['sessionId', 'timestamp', 'cwd', 'toolName', 'toolArgs', 'toolCallId', 'transcriptPath'];

function readCamel(payload: JsonObject): Told {
  const told = shaped(camel, payload);
  if (told === null) return null;
  const failed = told.error !== undefined && told.error !== null;
  const rest = without(payload, ...beforeKeys);
  if (Object.keys(rest).length === 0) return { ignored: 'preToolUse event' };
  const result = copilotResult(told.toolResult);
  const call: Call = {
    tool: told.toolName,
    // Arguments may come as their JSON text; a patch is a text of its own.
    input: parsedJson(told.toolArgs),
    output: told.error !== undefined && failed ? errorText(told.error) : (result.output ?? rest),
    sessionId: told.sessionId,
    toolUseId: told.toolCallId,
    ts: told.timestamp,
    isError: failed || result.isError,
    cwd: told.cwd,
  };
  return { call };
}

/** The text for the model, which is all that the other fields repeat. */
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
