import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messageTools, type Role, type ToolEvent } from '#core/event';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import type { Store } from '../store.ts';
import { detailsOf, timelineOf } from './details.ts';

let own: TestStore;
let store: Store;

beforeEach(() => {
  own = newStore();
  store = own.store;
});
afterEach(() => own.remove());

function messageAt(at: number, role: Role, turnId: string | null, text = `said ${at}`): ToolEvent {
  const message = { role, turnId, agentId: null };
  return eventAt(at, { tool: messageTools[role], input: {}, output: text, toolUseId: null, message });
}

const idsAround = (id: number, window?: number) => {
  const timeline = timelineOf(store, id, window);
  return timeline === null
    ? null
    : [timeline.before.map((one) => one.id), timeline.summary.id, timeline.after.map((one) => one.id)];
};

describe('the timeline', () => {
  test('of a call shows the neighbours in the session, oldest first', () => {
    const events = [eventAt(1), eventAt(2), eventAt(3), eventAt(4, { sessionId: 's2' }), eventAt(5)];
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = summarised(store, events);
    expect(idsAround(c)).toEqual([[a, b], c, [e]]);
    expect(idsAround(c, 1)).toEqual([[b], c, [e]]);
    expect(idsAround(d)).toEqual([[], d, []]);
    expect(idsAround(999)).toBeNull();
  });

  test.each([null, 't1'])(
    'of a message shows its turn from the request to the outcome (turn id %s)',
    (turn) => {
      const calls = Array.from({ length: 8 }, (_, at) => eventAt(3 + at));
      const ids = summarised(store, [
        eventAt(1),
        messageAt(2, 'user', turn),
        ...calls,
        messageAt(11, 'assistant', turn),
        messageAt(12, 'user', turn === null ? null : 't2'),
        eventAt(13),
      ]);
      const [, prompt = 0] = ids;
      const reply = ids[10] ?? 0;
      expect(idsAround(prompt)).toEqual([[], prompt, ids.slice(2, 11)]);
      expect(idsAround(reply)).toEqual([ids.slice(1, 10), reply, []]);
      expect(idsAround(prompt, 1)).toEqual([ids.slice(0, 1), prompt, ids.slice(2, 3)]);
    },
  );

  test('a message that the user sends during a turn does not end it', () => {
    const ids = summarised(store, [
      messageAt(1, 'user', 't1'),
      eventAt(2),
      messageAt(3, 'user', 't1'),
      eventAt(4),
      messageAt(5, 'assistant', 't1'),
    ]);
    const [first = 0, , second = 0] = ids;
    expect(idsAround(first)).toEqual([[], first, ids.slice(1)]);
    expect(idsAround(second)).toEqual([ids.slice(0, 2), second, ids.slice(3)]);
  });
});

test('a message comes with kind, role, turn and its whole text, a call with its kind', () => {
  const long = 'because '.repeat(500);
  const ids = summarised(store, [messageAt(1, 'user', 't1', long), eventAt(2)]);
  expect(detailsOf(store, ids)).toMatchObject([
    { kind: 'message', role: 'user', turnId: 't1', text: long },
    { kind: 'call', text: 'did 1' },
  ]);
  expect(store.summaries.recent(9, null, { kinds: ['message'] }).map(({ id }) => id)).toEqual([ids[0]]);
  expect(store.stats.counts()).toMatchObject({ events: 2, messages: 1 });
});
