import { type JsonObject, stringAt } from '#core/event';
import { idAt, whereIn } from './fields.ts';
import type { ReportedMessage } from './reported.ts';

/** Where each event has its text, in Claude Code's shape, which others vary. */
const events: Readonly<Record<string, readonly ['user' | 'assistant', string]>> = {
  UserPromptSubmit: ['user', 'prompt'],
  BeforeAgent: ['user', 'prompt'],
  Stop: ['assistant', 'last_assistant_message'],
  StopFailure: ['assistant', 'last_assistant_message'],
  SubagentStop: ['assistant', 'last_assistant_message'],
  AfterAgent: ['assistant', 'prompt_response'],
  PostCompact: ['assistant', 'compact_summary'],
};

/** The message of a payload in that shape; null for another one, or without a text. */
export function readHookMessage(payload: JsonObject): ReportedMessage | null {
  const event = stringAt(payload, 'hook_event_name') ?? '';
  const [role, key = ''] = (Object.hasOwn(events, event) ? events[event] : undefined) ?? [];
  const isError = event === 'StopFailure';
  const said = stringAt(payload, key) || (isError && idAt(payload, 'error_details', 'error')) || '';
  const text = event === 'PostCompact' ? summaryIn(said) : said;
  if (role === undefined || text === '') return null;
  return {
    ...{ kind: 'message', event, role, text, ...(isError && { isError }) },
    // Of our own plugins alone.
    messageId: idAt(payload, 'message_id'),
    turnId: idAt(payload, 'prompt_id', 'turn_id'),
    agentId: idAt(payload, 'agent_id'),
    ...whereIn(payload),
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
