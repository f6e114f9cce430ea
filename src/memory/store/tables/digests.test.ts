import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  eventAt,
  messageAt,
  newStore,
  summarised,
  type TestStore,
} from '../../../../test/support/store/store.ts';
import { BrowseSessions } from '../reads/browse-sessions.ts';
import { scrubTexts } from '../repair/scrub.ts';
import type { Digest, SessionEvent } from './digests.ts';

let opened: TestStore;
beforeEach(() => {
  opened = newStore();
});
afterEach(() => opened.remove());

const digest: Digest = {
  sessionId: 's1',
  text: 'Goal: grind',
  terms: 'rye',
  model: 'builtin',
  ts: '2026-01-01T12:00:02.000Z',
  lastSeq: 3,
};
const prompt = { id: 'pr_1', sessionId: 's1', ts: '2026-01-01T12:00:00.000Z', text: 'grind the rye' };
const events = (from: number, to: number, sessionId = 's1') =>
  Array.from({ length: to - from }, (_, at) => eventAt(from + at, { sessionId }));
const staleOf = (afterSeq = 0) =>
  opened.store.digests.stale(afterSeq, 1).map(({ sessionId, lastSeq }) => [sessionId, lastSeq]);

/** With an account, as the digester writes it. */
function write(written: Digest): void {
  opened.store.digests.save(written);
  opened.store.digests.saveAccount(written.sessionId, 1, '{"form":1,"root":null}');
}

describe('a session waits for a digest', () => {
  it('when none covers its last event', () => {
    const { store } = opened;
    store.events.insert([...events(0, 3), ...events(10, 12, 's2'), ...events(20, 30, '')]);
    // The newest first.
    expect(staleOf()).toEqual([
      ['s2', 5],
      ['s1', 3],
    ]);
    write(digest);
    write({ ...digest, sessionId: 's2', lastSeq: 5 });
    expect(staleOf()).toEqual([]);
    store.events.insert(events(3, 4));
    const [stale] = store.digests.stale(0, 1);
    expect(stale?.lastTs).toBe(eventAt(3).ts);
    expect(staleOf(stale?.lastSeq)).toEqual([]);
  });

  it('when a message is new or an imported prompt is, and not when one comes a second time', () => {
    const { store } = opened;
    store.events.insert(events(0, 3));
    write(digest);
    expect(store.prompts.insertOne(prompt)).toBe(true);
    expect(staleOf(3)).toEqual([['s1', 3]]);
    write(digest);
    expect(store.prompts.insertOne(prompt)).toBe(false);
    expect(staleOf()).toEqual([]);
    const said = messageAt(5, 'user', 'grind the rye');
    store.events.insert([said]);
    expect(staleOf(3)).toEqual([['s1', 4]]);
    write({ ...digest, lastSeq: 4 });
    store.events.insert([said]);
    expect(staleOf()).toEqual([]);
  });

  it('when it has no account, or one of another form, after those that have new events', () => {
    const { store } = opened;
    store.events.insert([...events(0, 3), ...events(10, 12, 's2')]);
    store.digests.save(digest);
    expect(store.digests.stale(9, 1).map(({ sessionId, isBehind }) => [sessionId, isBehind])).toEqual([
      ['s1', false],
    ]);
    expect(staleOf()).toEqual([
      ['s2', 5],
      ['s1', 3],
    ]);
    write(digest);
    expect(store.digests.stale(9, 1)).toEqual([]);
    expect(store.digests.stale(9, 2)).toHaveLength(1);
    expect(store.digests.account('s1')).toEqual({ json: '{"form":1,"root":null}', lastSeq: 3 });
    // A digest that is written again with the same words counts as unchanged, so that no other device gets it again.
    store.settings.set('sync.journal', '1');
    write(digest);
    expect(store.connection.all('SELECT * FROM sync_journal')).toEqual([]);
    // The account goes with its digest.
    const id = Number(store.connection.get("SELECT id FROM digests WHERE session_id = 's1'")?.id);
    expect(store.digests.forget(id)).toBe(true);
    expect(store.digests.account('s1')?.json).toBe('');
    store.connection.run("DELETE FROM events WHERE session_id = 's1'");
    expect(store.digests.account('s1')).toBeNull();
    expect(store.connection.get('SELECT count(*) AS n FROM accounts')).toEqual({ n: 0 });
  });
});

it('gives the events of a session in the order of their time, page by page', () => {
  const { store } = opened;
  const times = [5, 3, 3, 9, 1];
  store.events.insert(
    times.map((second, at) => ({ ...eventAt(second), id: `ev_${at}`, toolUseId: `call_${at}` })),
  );
  store.events.insert(events(20, 22, 's2'));
  const seqs: number[] = [];
  let last: SessionEvent | null = null;
  for (;;) {
    const page: SessionEvent[] = store.digests.events('s1', 4, last, 2);
    seqs.push(...page.map(({ seq }) => seq));
    last = page.at(-1) ?? null;
    if (last === null) break;
  }
  expect(seqs).toEqual([2, 3, 1, 4]);
  expect(store.digests.eventsUpTo('s1', 4)).toBe(4);
  expect(store.connection.newestSeq()).toBe(7);
});

it('keeps the digest that covers later events', () => {
  const { store } = opened;
  store.digests.save(digest);
  store.digests.save({ ...digest, text: 'older', lastSeq: 2 });
  expect(store.digests.get('s1')).toEqual(digest);
  store.digests.save({ ...digest, text: 'newer', lastSeq: 4 });
  expect(store.digests.get('s1')?.text).toBe('newer');
  expect(store.digests.get('s2')).toBeNull();
});

it('is shown with its session', () => {
  const { store } = opened;
  store.events.insert([...events(0, 3), ...events(10, 12, 's2')]);
  store.digests.save(digest);
  expect(
    new BrowseSessions(store)
      .sessions(5, null)
      .sessions.map(({ sessionId, digest: text }) => [sessionId, text]),
  ).toEqual([
    ['s2', null],
    ['s1', 'Goal: grind'],
  ]);
});

it('goes with a call that is forgotten: it may hold its words', () => {
  const { store } = opened;
  const [id = 0] = summarised(store, events(0, 3));
  summarised(store, events(10, 13, 's2'));
  store.digests.save(digest);
  store.digests.save({ ...digest, sessionId: 's2', lastSeq: 6 });
  expect(store.summaries.forget(id)).toBe(true);
  expect(store.digests.get('s1')).toBeNull();
  expect(store.digests.get('s2')).not.toBeNull();
});

describe('scrubbing', () => {
  const secret = ['plum', 'orchard', '1729'].join('');
  const scrub = (): void =>
    scrubTexts(opened.file, (group) =>
      group.map(({ texts }) => {
        const changed = Object.entries(texts).filter(([, text]) => text.includes(secret));
        return changed.length === 0
          ? null
          : Object.fromEntries(changed.map(([name, text]) => [name, text.replaceAll(secret, 'gone')]));
      }),
    );

  it('cleans prompts, and drops each digest that covers what was cleaned, so that it is made again', () => {
    const { store } = opened;
    for (const [at, sessionId] of ['by-event', 'by-prompt', 'itself', 'clean'].entries()) {
      const output = sessionId === 'by-event' ? secret : 'ok';
      store.events.insert(events(10 * at, 10 * at + 3, sessionId).map((event) => ({ ...event, output })));
      const text = sessionId === 'by-prompt' ? `say ${secret}` : 'say it';
      store.prompts.insertOne({ ...prompt, id: `pr_${at}`, sessionId, text });
      const told = sessionId === 'itself' ? `Goal: ${secret}` : 'Goal: grind';
      store.digests.save({ ...digest, sessionId, text: told });
    }
    scrub();
    expect(store.prompts.of('by-prompt', 9).map(({ text }) => text)).toEqual(['say gone']);
    const left = store.connection.all('SELECT session_id FROM digests').map((row) => row.session_id);
    expect(left).toEqual(['clean']);
  });

  it('takes a database of an older schema as it is', () => {
    const { store } = opened;
    store.events.insert(events(0, 1).map((event) => ({ ...event, output: secret })));
    store.connection.exec('DROP TABLE accounts');
    scrub();
    expect(store.connection.get('SELECT payload_json FROM events')?.payload_json).toContain('gone');
  });
});
