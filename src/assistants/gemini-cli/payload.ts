import { stringAt } from '#core/event';
import { geminiResult, type Payload, readHookCall, readHookMessage } from '../form/index.ts';

/** Gemini CLI: AfterTool, also for failed calls, without a call id (recorded with 0.61.0). */
export const payload: Payload = {
  recognises: (payload) => events.has(stringAt(payload, 'hook_event_name') ?? ''),
  read: (payload) => readHookCall(payload, geminiResult, ['AfterTool']) ?? readHookMessage(payload),
  pauses: ['AfterAgent', 'PreCompress', 'SessionEnd'],
};

const events = new Set(['AfterTool', 'BeforeAgent', 'AfterAgent']);
