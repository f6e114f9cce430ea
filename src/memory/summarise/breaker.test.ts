import { describe, expect, test } from 'vitest';
import { probeIntervalMs, retryAfterMsMax } from '#core/limits';
import { breaker, chatWithBreaker } from './breaker.ts';
import type { Chat, ChatQuestion, ChatReply, Outage } from './chat.ts';

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

test('holds up to its own limit where nothing is urgent, also when a person has to act first', () => {
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

describe('a model behind it', () => {
  function model(reply: () => ChatReply) {
    let calls = 0;
    const chat: Chat = {
      name: 'local',
      model: 'm',
      ask: async () => {
        calls++;
        return reply();
      },
    };
    return { chat: chatWithBreaker(chat, breaker()), calls: () => calls };
  }
  const signal = new AbortController().signal;
  const question: ChatQuestion = {
    prompt: { system: '', user: '', tokens: 0 },
    schema: {},
    answerTokens: { max: 1, likely: 1 },
  };

  test('is not called while it holds', async () => {
    const { chat, calls } = model(() => outage);
    expect(await chat.ask(question, signal)).toEqual(outage);
    expect(await chat.ask(question, signal)).toMatchObject({ kind: 'outage', error: 'down' });
    expect(calls()).toBe(1);
  });

  test('is called again after an answer that is of no use', async () => {
    const usage = { calls: 1, inputTokens: 0, outputTokens: 0 };
    const { chat, calls } = model(() => ({ kind: 'rejected', error: 'x', usage }));
    await chat.ask(question, signal);
    await chat.ask(question, signal);
    expect(calls()).toBe(2);
  });

  test('is called again after a call that the caller stopped', async () => {
    const { chat, calls } = model(() => outage);
    await chat.ask(question, AbortSignal.abort());
    await chat.ask(question, signal);
    expect(calls()).toBe(2);
  });
});
