import type { ToolEvent } from '#core/event';

/** A small whole event; `id` makes it another one. */
export function sampleEvent(id: string, more: Partial<ToolEvent> = {}): ToolEvent {
  return {
    id,
    tool: 'Bash',
    input: { command: `echo ${id}` },
    output: 'line\nanother "line" \\ ünï\u2028cödé',
    sessionId: 's',
    toolUseId: null,
    ts: '2026-01-01T00:00:00.000Z',
    client: 'generic',
    isError: false,
    cwd: null,
    ...more,
  };
}
