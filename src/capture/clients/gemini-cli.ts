import type { JsonObject } from '../../core/event/index.ts';
import { stringAt } from '../../core/event/index.ts';
import type { Client, Told } from './client.ts';
import { geminiResult } from './gemini-result.ts';
import { callOf, hookCallOf } from './hook-call.ts';

/**
 * Gemini CLI: AfterTool, failed calls too; it tells no call id (recorded with 0.61.0; CLIENTS.md, section 2).
 */
export const geminiCli: Client = {
  name: 'gemini-cli',
  recognises: (payload) => stringAt(payload, 'hook_event_name') === 'AfterTool',
  tell: readGemini,
};

function readGemini(payload: JsonObject): Told {
  const hook = hookCallOf(payload, ['AfterTool']);
  if (hook === null) return null;
  const result = geminiResult(hook.tool_name, hook.tool_response);
  return { call: callOf(payload, hook, result) };
}
