import { stringAt } from '#core/event';
import { geminiResult, type Payload, readHookCall, readHookMessage } from '../form/index.ts';

/** Qwen Code: Claude Code's events with Gemini CLI's results (recorded with 0.24.4). */
export const payload: Payload = {
  recognises: (payload) =>
    'hook_event_name' in payload &&
    ('tool_call_id' in payload || (stringAt(payload, 'transcript_path')?.includes('/.qwen/') ?? false)),
  read: (payload) => readHookCall(payload, geminiResult) ?? readHookMessage(payload),
};
