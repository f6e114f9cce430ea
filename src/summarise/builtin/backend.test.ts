import { describe, expect, it } from 'vitest';
import type { Payload } from '../../event/index.ts';
import { builtinBackend } from './index.ts';
import { sampleCall } from './sample.ts';

const never = new AbortController().signal;

/** What stands in the database may be anything that JSON can say. */
function storedPayload(text: string): Payload {
  return JSON.parse(text);
}

describe('the builtin backend', () => {
  it('is there, and costs nothing', async () => {
    const backend = builtinBackend();
    expect([backend.name, backend.model, backend.batchMax]).toEqual(['builtin', 'builtin', 64]);
    expect(await backend.unavailable(never)).toBeNull();
    const outcome = await backend.summarise(
      [{ id: 'ev_1', payload: sampleCall('Bash', { command: 'make' }, '') }],
      never,
    );
    expect(outcome).toEqual({
      kind: 'done',
      answers: [{ text: 'Ran `make`. No output.', terms: 'make make' }],
      usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
    });
  });

  it.each(['null', '7', '"text"', '[]', '{}', '{"tool":""}', '{"tool":3,"input":{}}', '{"tool":"Bash"}'])(
    'fails the row of %s alone',
    async (text) => {
      const outcome = await builtinBackend().summarise(
        [
          { id: 'ev_1', payload: storedPayload(text) },
          { id: 'ev_2', payload: sampleCall('Bash', { command: 'make' }, '') },
        ],
        never,
      );
      expect(outcome).toMatchObject({
        kind: 'done',
        answers: [
          { error: expect.stringContaining('malformed payload') },
          { text: 'Ran `make`. No output.' },
        ],
      });
    },
  );

  it('stops between events when told to, at no cost to any of them', async () => {
    const outcome = await builtinBackend().summarise(
      [{ id: 'ev_1', payload: sampleCall('Bash', { command: 'make' }, '') }],
      AbortSignal.abort(),
    );
    expect(outcome.kind).toBe('outage');
  });
});
