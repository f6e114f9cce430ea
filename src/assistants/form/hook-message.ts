import * as v from 'valibot';
import type { JsonObject } from '../../core/event/index.ts';
import { id, json, name, shaped, text } from './fields.ts';
import type { ReportedMessage } from './reported.ts';

/** Claude Code's shape of what was said, which Codex, Gemini CLI, Qwen Code and Copilot CLI vary. */
const hookMessage = v.object({
  hook_event_name: name,
  session_id: id,
  prompt: text,
  last_assistant_message: text,
  compact_summary: text,
  prompt_response: text,
  prompt_id: id,
  turn_id: id,
  agent_id: id,
  timestamp: json,
  cwd: text,
});
type HookMessage = v.InferOutput<typeof hookMessage>;

/** The text of each event. `StopFailure` has an error there. */
const events: Readonly<
  Record<string, { role: 'user' | 'assistant'; textOf: (hook: HookMessage) => string | null }>
> = {
  UserPromptSubmit: { role: 'user', textOf: ({ prompt }) => prompt },
  BeforeAgent: { role: 'user', textOf: ({ prompt }) => prompt },
  Stop: { role: 'assistant', textOf: (hook) => hook.last_assistant_message },
  SubagentStop: { role: 'assistant', textOf: (hook) => hook.last_assistant_message },
  AfterAgent: { role: 'assistant', textOf: (hook) => hook.prompt_response },
  PostCompact: { role: 'assistant', textOf: (hook) => summaryIn(hook.compact_summary ?? '') },
};

/** The message of a payload in that shape; null for another one, or without a text. */
export function readHookMessage(payload: JsonObject): ReportedMessage | null {
  const hook = shaped(hookMessage, payload);
  if (hook === null || !Object.hasOwn(events, hook.hook_event_name)) return null;
  const event = events[hook.hook_event_name];
  const text = event?.textOf(hook) ?? '';
  if (event === undefined || text === '') return null;
  return {
    kind: 'message',
    event: hook.hook_event_name,
    role: event.role,
    text,
    sessionId: hook.session_id,
    turnId: hook.prompt_id ?? hook.turn_id,
    agentId: hook.agent_id,
    ts: hook.timestamp,
    cwd: hook.cwd,
  };
}

/** A summary without the model's reasoning about it and without the words that Claude Code puts around it in the transcript. */
export function summaryIn(text: string): string {
  const element = /<summary>([\s\S]*?)<\/summary>/.exec(text)?.[1];
  if (element !== undefined) return element.trim();
  const from = /(?:^|\n)Summary:\n/.exec(text);
  const rest = from === null ? text.replace(continued, '') : text.slice(from.index + from[0].length);
  const to = rest.search(afterSummary);
  return (to < 0 ? rest : rest.slice(0, to)).trim();
}

const continued = /^This session is being continued from a previous conversation[^\n]*\n+/;
const afterSummary =
  /\n+(?:If you need specific details from before compaction|(?:Please )?[Cc]ontinue the conversation from where)/;
