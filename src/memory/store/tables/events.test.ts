import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leaseMs } from '#core/limits';
import { eventAt, newStore, type TestStore } from '../../../../test/support/store/store.ts';
import { openStore, type Store } from '../store.ts';

let own: TestStore;
let store: Store;

beforeEach(() => {
  own = newStore();
  store = own.store;
});
afterEach(() => own.remove());

const now = 1_000_000;
const claimIds = (owner: string, limit = 10, at = now, behind = 0): string[] =>
  store.events.claim(owner, behind, limit, at).map((row) => row.id);
const rowOf = (id: string) => store.connection.get('SELECT * FROM events WHERE id = ?', id) ?? {};
const seqOf = (id: string): number => Number(rowOf(id).seq);

describe('insert', () => {
  test('stores an event once, however often it is reported and by which source', () => {
    expect(store.events.insert([eventAt(1), eventAt(2), eventAt(1)])).toEqual({ inserted: 2, duplicates: 1 });
    expect(store.events.insert([eventAt(2, { output: 'sent again' }), eventAt(3)])).toEqual({
      inserted: 1,
      duplicates: 1,
    });
    expect(store.stats.counts()).toMatchObject({ events: 3, raw: 3 });
    expect(String(rowOf('ev_2').payload_json)).not.toContain('sent again');
    expect(store.events.insert([])).toEqual({ inserted: 0, duplicates: 0 });
  });

  test('fills the columns of the contract', () => {
    store.events.insert([
      eventAt(1, { isError: true, output: { stderr: 'x' } }),
      eventAt(2, { toolUseId: null }),
    ]);
    expect(rowOf('ev_1')).toMatchObject({
      ts: '2026-01-01T12:00:01.000Z',
      session_id: 's1',
      tool: 'Bash',
      tool_use_id: 'call_1',
      client: 'claude-code',
      is_error: 1,
      status: 'raw',
      attempts: 0,
      last_error: null,
    });
    const { id: _id, ...payload } = eventAt(1, { isError: true, output: { stderr: 'x' } });
    expect(JSON.parse(String(rowOf('ev_1').payload_json))).toEqual(payload);
    expect(rowOf('ev_2')).toMatchObject({ tool_use_id: null, is_error: 0 });
  });

  test('learns from Codex’s transcript that a call failed, which its hook does not report, and summarises it again', () => {
    for (const client of ['claude-code', 'codex'] as const) {
      const id = `ev_${client}`;
      store.events.insert([eventAt(1, { id, client })]);
      store.events.claim('a', 0, 10, now);
      const summary = { eventSeq: seqOf(id), text: 'made it', terms: '', model: 'm' };
      expect(store.summaries.finish('a', [summary])).toBe(1);
      expect(store.events.insert([eventAt(1, { id, client, isError: true })])).toEqual({
        inserted: 0,
        duplicates: 1,
      });
    }
    const { status, is_error, payload_json } = rowOf('ev_codex');
    expect({ status, is_error }).toEqual({ status: 'raw', is_error: 1 });
    expect(JSON.parse(String(payload_json))).toMatchObject({ isError: true, tool: 'Bash' });
    expect(rowOf('ev_claude-code')).toMatchObject({ status: 'summarized', is_error: 0 });
    store.events.insert([eventAt(1, { id: 'ev_codex', client: 'codex' })]);
    expect(rowOf('ev_codex')).toMatchObject({ is_error: 1 });
  });

  test('learns it also of a call that is being summarised this moment, and of one whose payload was torn', () => {
    for (const at of [1, 2]) store.events.insert([eventAt(at, { client: 'codex' })]);
    store.connection.run("UPDATE events SET payload_json = '{' WHERE id = 'ev_2'");
    store.events.claim('a', 0, 10, now);
    const failures = [1, 2].map((at) => eventAt(at, { client: 'codex', isError: true }));
    expect(store.events.insert(failures)).toEqual({ inserted: 0, duplicates: 2 });
    const drafts = ['ev_1', 'ev_2'].map((id) => ({ eventSeq: seqOf(id), text: 'ok', terms: '', model: 'm' }));
    expect(store.summaries.finish('a', drafts)).toBe(0);
    expect(claimIds('b')).toEqual(['ev_1', 'ev_2']);
    expect(rowOf('ev_2')).toMatchObject({ is_error: 1, payload_json: '{' });
  });

  test('takes all of a batch or nothing', () => {
    const bad = { ...eventAt(2), sessionId: null as unknown as string };
    expect(() => store.events.insert([eventAt(1), bad])).toThrow(/NOT NULL/);
    expect(store.stats.counts().events).toBe(0);
    expect(store.events.insert([eventAt(1)])).toEqual({ inserted: 1, duplicates: 0 });
  });

  test('is seen by `known`', () => {
    store.events.insert([eventAt(1), eventAt(2)]);
    expect(store.events.known(['ev_2', 'ev_9', 'ev_1'])).toEqual(new Set(['ev_1', 'ev_2']));
    expect(store.events.known([])).toEqual(new Set());
  });
});

describe('claim', () => {
  beforeEach(() => void store.events.insert([1, 2, 3, 4].map((at) => eventAt(at))));

  test('takes the oldest rows, and none that another holds', () => {
    expect(claimIds('a', 2)).toEqual(['ev_1', 'ev_2']);
    expect(claimIds('b')).toEqual(['ev_3', 'ev_4']);
    expect(claimIds('c')).toEqual([]);
  });

  test('goes on behind the last one', () => {
    expect(claimIds('a', 10, now, seqOf('ev_2'))).toEqual(['ev_3', 'ev_4']);
  });

  test('takes over a lease that has run out, and not before', () => {
    claimIds('a');
    expect(claimIds('b', 10, now + leaseMs - 1)).toEqual([]);
    expect(claimIds('b', 10, now + leaseMs)).toHaveLength(4);
  });

  test('frees a lease that a clock that was set back since has taken; who held it finishes nothing', () => {
    const ahead = now + 365 * 86_400_000;
    expect(store.events.claim('a', 0, 2, ahead).map((row) => row.id)).toEqual(['ev_1', 'ev_2']);
    expect(claimIds('b')).toEqual(['ev_1', 'ev_2', 'ev_3', 'ev_4']);
    const late = { eventSeq: seqOf('ev_1'), text: 'late', terms: '', model: 'm' };
    expect(store.summaries.finish('a', [late])).toBe(0);
    expect(store.summaries.finish('b', [{ ...late, text: 'in time' }])).toBe(1);
    expect(store.stats.counts()).toMatchObject({ summaries: 1 });
  });

  test('frees a lease that a clock that was set forward since has let run out; one summary is kept', () => {
    claimIds('a', 1);
    const ahead = now + 365 * 86_400_000;
    expect(store.events.claim('b', 0, 1, ahead).map((row) => row.id)).toEqual(['ev_1']);
    // And back again: the lease of the other clock holds nothing.
    expect(claimIds('a', 1)).toEqual(['ev_1']);
    const summary = { eventSeq: seqOf('ev_1'), text: 'by a', terms: '', model: 'm' };
    expect(store.summaries.finish('b', [summary])).toBe(0);
    expect(store.summaries.finish('a', [summary])).toBe(1);
  });

  test('a lease just taken holds by any clock that is not further off than a lease', () => {
    claimIds('a');
    for (const at of [now, now + leaseMs - 1]) expect(claimIds('b', 10, at)).toEqual([]);
  });

  test('nor is it free for one who looked at the clock before, and then waited for the other’s transaction', () => {
    claimIds('a', 10, now + 5_000);
    expect(claimIds('b', 10, now)).toEqual([]);
  });

  test('leaves a renewed lease alone', () => {
    claimIds('a', 2);
    store.events.renew('a', [seqOf('ev_1')], now + leaseMs / 2);
    store.events.renew('other', [seqOf('ev_2')], now + leaseMs / 2);
    expect(claimIds('b', 10, now + leaseMs)).toEqual(['ev_2', 'ev_3', 'ev_4']);
  });

  test('takes what was given back, untouched', () => {
    claimIds('a', 2);
    store.events.release('b', [seqOf('ev_1')]);
    expect(claimIds('b', 1)).toEqual(['ev_3']);
    store.events.release('a', [seqOf('ev_1'), seqOf('ev_2')]);
    expect(claimIds('b')).toEqual(['ev_1', 'ev_2', 'ev_4']);
    expect(rowOf('ev_1')).toMatchObject({ attempts: 0, last_error: null });
  });

  test('names who holds rows, and gives back all of one that is gone', () => {
    claimIds('a', 1);
    claimIds('b', 1);
    expect(store.events.leaseOwners(now).sort()).toEqual(['a', 'b']);
    expect(store.events.leaseOwners(now + leaseMs)).toEqual([]);
    store.events.releaseAll('a');
    expect(store.events.leaseOwners(now)).toEqual(['b']);
    expect(claimIds('c')).toEqual(['ev_1', 'ev_3', 'ev_4']);
  });

  test('never gives one row to two connections', () => {
    const other = openStore(own.file);
    try {
      const taken: string[] = [];
      for (let turn = 0; taken.length < 4; turn += 1) {
        const from = turn % 2 === 0 ? store : other;
        taken.push(...from.events.claim(`owner${turn % 2}`, 0, 1, now).map((row) => row.id));
      }
      expect(taken).toEqual(['ev_1', 'ev_2', 'ev_3', 'ev_4']);
      expect(other.events.claim('late', 0, 10, now)).toEqual([]);
    } finally {
      other.close();
    }
  });
});

describe('fail', () => {
  beforeEach(() => void store.events.insert([eventAt(1)]));

  const failOnce = (error: string): string => {
    claimIds('a');
    return store.events.fail('a', seqOf('ev_1'), error, 3);
  };

  test('makes a row skipped with its last attempt, and keeps the reason', () => {
    expect([failOnce('one'), failOnce('two')]).toEqual(['raw', 'raw']);
    expect(rowOf('ev_1')).toMatchObject({ status: 'raw', attempts: 2, last_error: 'two', lease_owner: null });
    expect(failOnce('three')).toBe('skipped');
    expect(rowOf('ev_1')).toMatchObject({ status: 'skipped', attempts: 3, last_error: 'three' });
    expect(claimIds('a')).toEqual([]);
    expect(store.stats.counts()).toMatchObject({ raw: 0, skipped: 1 });
  });

  test('counts nothing against a row that has been lost to another', () => {
    claimIds('a');
    claimIds('b', 1, now + leaseMs);
    expect(store.events.fail('a', seqOf('ev_1'), 'late', 3)).toBe('lost');
    expect(rowOf('ev_1')).toMatchObject({ attempts: 0, lease_owner: 'b' });
  });

  test('is forgotten when an operator sets the row back to raw', () => {
    for (const error of ['one', 'two', 'three']) failOnce(error);
    store.connection.run("UPDATE events SET status = 'raw' WHERE status = 'skipped'");
    expect(rowOf('ev_1')).toMatchObject({ status: 'raw', attempts: 0, last_error: null });
    expect([failOnce('four'), failOnce('five'), failOnce('six')]).toEqual(['raw', 'raw', 'skipped']);
  });
});

test('a status that is none is refused', () => {
  store.events.insert([eventAt(1)]);
  expect(() => store.connection.run("UPDATE events SET status = 'done'")).toThrow(/CHECK/);
});
