import type { Json } from '#core/event';
import type { RawEvent } from '../../../src/memory/summarise/backend.ts';

interface Fields {
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly isError?: boolean;
}

/** An event with these fields, the rest being plain. */
export function event({ tool = 'Bash', input = {}, output = '', isError = false }: Fields = {}): RawEvent {
  const rest = {
    sessionId: 's',
    toolUseId: null,
    ts: '2026-01-02T03:04:05.000Z',
    client: 'generic',
    cwd: null,
  };
  return { id: 'ev_test', payload: { tool, input, output, isError, ...rest } };
}

/** `count` events whose commands are `make target-0`, `make target-1`, ... */
export function events(count: number): readonly RawEvent[] {
  return Array.from({ length: count }, (_, index) => event({ input: { command: `make target-${index}` } }));
}
