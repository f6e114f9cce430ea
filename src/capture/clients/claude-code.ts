import { isObject, type Json, type JsonObject, own, stringAt } from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { without } from './fields.ts';
import { callOf, hookCallOf } from './hook-call.ts';

/** Claude Code: PostToolUse and PostToolUseFailure (recorded with 2.1.329; CLIENTS.md, section 1). */
export const claudeCode: Client = {
  name: 'claude-code',
  recognises: (payload) => isPost(stringAt(payload, 'hook_event_name')),
  tell: readClaudeCode,
};

function isPost(event: string | undefined): boolean {
  return event === 'PostToolUse' || event === 'PostToolUseFailure';
}

export function readClaudeCode(payload: JsonObject): Told {
  const hook = hookCallOf(payload, ['PostToolUse', 'PostToolUseFailure']);
  if (hook === null) return null;
  const output =
    hook.tool_response === undefined ? undefined : withoutEchoes(hook.tool_response, hook.tool_input);
  return { call: callOf(payload, hook, { output }) };
}

/** The response's names for what the input has said already. */
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
 * A tool's response without the whole file (Edit, Write and kin send it as it was before) and without what
 * it repeats of the input. `structuredPatch` stays: it is the change.
 */
function withoutEchoes(response: Json, input: Json | undefined): Json {
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
