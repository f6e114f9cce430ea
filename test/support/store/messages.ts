import {
  type ClientName,
  identify,
  type MessageFields,
  messageTools,
  type Role,
  type ToolEvent,
} from '#core/event';

interface Said extends Partial<Omit<MessageFields, 'role'>> {
  readonly role?: Role;
  readonly messageId?: string | null;
  readonly session?: string;
  readonly client?: ClientName;
}

/** A message that was said `at` seconds after an hour. */
export function messageAt(at: number, text: string, said: Said = {}): ToolEvent {
  const { role = 'user', turnId = null, agentId = null, messageId = null } = said;
  const { session = 's1', client = 'claude-code' } = said;
  return identify({
    tool: messageTools[role],
    input: {},
    output: text,
    sessionId: session,
    toolUseId: messageId,
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, 0) + at * 1_000).toISOString(),
    client,
    isError: false,
    cwd: '/p',
    message: { role, turnId, agentId },
  });
}
