import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { builtinBackend } from './index.ts';

const never = new AbortController().signal;

describe('the builtin backend', () => {
  it('costs nothing', async () => {
    const backend = builtinBackend();
    expect([backend.name, backend.model, backend.batchMax]).toEqual(['builtin', 'builtin', 64]);
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

  it.each(['', ' '])('fails the row of a call of no tool (%j) alone', async (tool) => {
    const outcome = await builtinBackend().summarise(
      [
        { id: 'ev_1', payload: sampleCall(tool, {}, '') },
        { id: 'ev_2', payload: sampleCall('Bash', { command: 'make' }, '') },
      ],
      never,
    );
    expect(outcome).toMatchObject({
      kind: 'done',
      answers: [{ error: 'malformed payload: no tool name' }, { text: 'Ran `make`. No output.' }],
    });
  });

  it('stops between events on a signal, at no cost to any of them', async () => {
    const outcome = await builtinBackend().summarise(
      [{ id: 'ev_1', payload: sampleCall('Bash', { command: 'make' }, '') }],
      AbortSignal.abort(),
    );
    expect(outcome.kind).toBe('outage');
  });
});
