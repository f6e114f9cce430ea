import type { Json, Payload } from '../../event/index.ts';

/** A payload for the tests of this folder: `tool` called with `input`, which gave `output`. */
export function sampleCall(tool: string, input: Json, output: Json, more: Partial<Payload> = {}): Payload {
  return {
    tool,
    input,
    output,
    sessionId: 's-1',
    toolUseId: 'call-1',
    ts: '2026-03-04T05:06:07.000Z',
    client: 'claude-code',
    isError: false,
    cwd: '/home/dev/shop',
    ...more,
  };
}
