import { type JsonObject, stringAt } from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { geminiResult } from './gemini-result.ts';
import { callOf, hookCallOf } from './hook-call.ts';

/**
 * Qwen Code: Claude Code's events with Gemini CLI's results. Of its two ids, `tool_call_id` is the one that
 * its transcript has too (recorded with 0.24.4; CLIENTS.md, section 2).
 */
export const qwenCode: Client = {
  name: 'qwen-code',
  recognises: (payload) =>
    'hook_event_name' in payload &&
    ('tool_call_id' in payload || (stringAt(payload, 'transcript_path')?.includes('/.qwen/') ?? false)),
  tell: readQwen,
};

function readQwen(payload: JsonObject): Told {
  const hook = hookCallOf(payload, ['PostToolUse', 'PostToolUseFailure']);
  if (hook === null) return null;
  const result = geminiResult(hook.tool_name, hook.tool_response);
  return { call: callOf(payload, hook, { ...result, toolUseId: hook.tool_call_id ?? hook.tool_use_id }) };
}
