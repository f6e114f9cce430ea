import { describe, expect, test } from 'vitest';
import { probeIntervalMs, retryAfterMsMax } from '../../core/limits.ts';
import type { Backend, BatchOutcome } from './backend.ts';
import { breaker, withBreaker } from './breaker.ts';
import type { Outage } from './outage.ts';

const outage: Outage = { kind: 'outage', error: 'down', retryable: true };

/** A breaker on a clock that the test moves. */
function onClock() {
  let nowMs = 0;
  const gate = breaker({ now: () => nowMs, baseMs: 1_000 });
  /** How long it holds calls back, by its own word; the clock is there afterwards. */
  const heldMs = () => {
    const held = gate.held();
    nowMs += held?.retryAfterMs ?? 0;
    return held?.retryAfterMs ?? 0;
  };
  return { gate, heldMs };
}

test('lets everything through until there is an outage', () => {
  const { gate } = onClock();
  expect(gate.held()).toBeNull();
  gate.note(null);
  expect(gate.held()).toBeNull();
});

test('repeats the outage while it holds', () => {
  const { gate } = onClock();
  gate.note(outage);
  expect(gate.held()).toEqual({ ...outage, retryAfterMs: 1_000 });
});

test('holds longer after each outage, but never longer than until the next probe is due', () => {
  const { gate, heldMs } = onClock();
  const held = Array.from({ length: 7 }, () => {
    gate.note(outage);
    const ms = heldMs();
    expect(gate.held()).toBeNull();
    return ms;
  });
  expect(held).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, probeIntervalMs, probeIntervalMs]);
});

test('holds as long as it is told to where nothing is urgent, also when somebody has to act first', () => {
  let nowMs = 0;
  const gate = breaker({ now: () => nowMs, baseMs: 30_000, longestMs: 100_000 });
  const held = [outage, outage, outage, { ...outage, retryable: false }].map((one) => {
    gate.note(one);
    const ms = gate.held()?.retryAfterMs ?? 0;
    nowMs += ms;
    return ms;
  });
  expect(held).toEqual([30_000, 60_000, 100_000, 100_000]);
});

test('one call finds out, the others wait for it', () => {
  const { gate, heldMs } = onClock();
  gate.note(outage);
  heldMs();
  expect(gate.held()).toBeNull();
  expect(gate.held()).not.toBeNull();
  gate.note(null);
  expect(gate.held()).toBeNull();
});

test('an answer makes it forget', () => {
  const { gate, heldMs } = onClock();
  gate.note(outage);
  gate.note(outage);
  gate.note(null);
  gate.note(outage);
  expect(heldMs()).toBe(1_000);
});

test('waits as long as the server asks, within bounds', () => {
  const { gate, heldMs } = onClock();
  gate.note({ ...outage, retryAfterMs: 45_000 });
  expect(heldMs()).toBe(45_000);
  gate.note({ ...outage, retryAfterMs: 3_600_000 });
  expect(heldMs()).toBe(retryAfterMsMax);
});

test('what only a person can repair is tried at every probe', () => {
  const { gate, heldMs } = onClock();
  gate.note({ ...outage, retryable: false });
  expect(heldMs()).toBe(probeIntervalMs);
});

describe('a backend behind it', () => {
  function backend(outcome: () => BatchOutcome) {
    let batchMax = 8;
    let calls = 0;
    const real: Backend & { readonly mark: string } = {
      name: 'local',
      model: 'm',
      mark: 'kept',
      get batchMax() {
        return batchMax;
      },
      unavailable: async () => null,
      summarise: async () => {
        calls++;
        batchMax = 4;
        return outcome();
      },
    };
    return { real, calls: () => calls };
  }
  const signal = new AbortController().signal;

  test('is not called while it holds', async () => {
    const { real, calls } = backend(() => outage);
    const held = withBreaker(real);
    expect(await held.summarise([], signal)).toEqual(outage);
    expect(await held.summarise([], signal)).toMatchObject({ kind: 'outage', error: 'down' });
    expect(calls()).toBe(1);
  });

  test('is itself in all else, as it is now', async () => {
    const { real } = backend(() => outage);
    const held = withBreaker(real);
    expect(held.mark).toBe('kept');
    expect(await held.unavailable(signal)).toBeNull();
    await held.summarise([], signal);
    expect(held.batchMax).toBe(4);
  });

  test('an answer that is of no use is no outage', async () => {
    const usage = { calls: 1, inputTokens: 0, outputTokens: 0 };
    const { real, calls } = backend(() => ({ kind: 'rejected', error: 'x', usage }));
    const held = withBreaker(real);
    await held.summarise([], signal);
    await held.summarise([], signal);
    expect(calls()).toBe(2);
  });

  test('a call that the caller stopped says nothing of the backend', async () => {
    const { real, calls } = backend(() => outage);
    const held = withBreaker(real);
    await held.summarise([], AbortSignal.abort());
    await held.summarise([], signal);
    expect(calls()).toBe(2);
  });
});
