import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { prunable, removePruned } from './prune.ts';

let own: TestStore;

beforeEach(() => {
  own = newStore();
});
afterEach(() => own.remove());

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);

function link(from: number, to: number, kind = 'supersedes'): void {
  own.store.connection.run("INSERT OR IGNORE INTO edges VALUES (?, ?, ?, '', '2026-01-01')", from, to, kind);
}

/** Summaries, each as many days old as `ages` says. */
function aged(ages: readonly number[]): number[] {
  const events = ages.map((_, at) => eventAt(at));
  const ids = summarised(own.store, events);
  for (const [at, id] of ids.entries()) {
    const ts = new Date(now - (ages[at] ?? 0) * day).toISOString();
    own.store.connection.run('UPDATE summaries SET ts = ? WHERE id = ?', ts, id);
  }
  return ids;
}

const pruned = () => prunable(own.store.connection, now).map(({ id, reason, by }) => [id, reason, by]);

describe('what has been superseded', () => {
  test('goes when its successor is seven days old, and not before', () => {
    const [a = 0, b = 0, c = 0, d = 0] = aged([30, 7, 29, 6.99]);
    link(b, a);
    link(d, c);
    expect(pruned()).toEqual([[a, 'superseded', b]]);
  });

  test('stays when it is pinned, only contradicted, or superseded by an older one', () => {
    const [a = 0, b = 0, c = 0] = aged([30, 20, 10]);
    link(c, b, 'contradicts');
    link(a, b);
    link(b, a);
    own.store.summaries.pin(a, true);
    expect(pruned()).toEqual([]);
    own.store.summaries.pin(a, false);
    expect(pruned()).toEqual([[a, 'superseded', b]]);
    expect(c).toBeGreaterThan(b);
  });

  test('whatever the edges, pins and ages: each one that goes is followed by newer ones up to one that stays', () => {
    const graph = fc.record({
      ages: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: 9 }),
      edges: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 24 }),
      pins: fc.array(fc.nat(8), { maxLength: 3 }),
      alike: fc.array(fc.nat(2), { minLength: 9, maxLength: 9 }),
    });
    fc.assert(
      fc.property(graph, ({ ages, edges, pins, alike }) => {
        own.remove();
        own = newStore();
        const ids = aged(ages);
        for (const [at, id] of ids.entries()) {
          const output = `result ${alike[at]}`;
          own.store.connection.run('UPDATE summaries SET text = ? WHERE id = ?', output, id);
          own.store.connection.run(
            `UPDATE events SET payload_json = json_object('tool', 'Bash', 'output', ?, 'ts', ?, 'toolUseId', ?)
             WHERE id = (SELECT event_id FROM summaries WHERE id = ?)`,
            ...[output, `t${at}`, `c${at}`, id],
          );
        }
        for (const [from, to] of edges) {
          const [newer, older] = [ids[from], ids[to]];
          if (newer !== undefined && older !== undefined && newer !== older) link(newer, older);
        }
        for (const at of pins) own.store.summaries.pin(ids[at] ?? 0, true);
        const ageOf = (id: number): number => ages[ids.indexOf(id)] ?? 0;
        const plan = prunable(own.store.connection, now);
        const going = new Map(plan.map((one) => [one.id, one.by]));
        for (const first of going.keys()) {
          let id = first;
          for (let by = going.get(id); by !== undefined; by = going.get(id)) {
            expect(ageOf(by) < ageOf(id) || (ageOf(by) === ageOf(id) && by > id)).toBe(true);
            id = by;
          }
          expect(own.store.summaries.get([first])[0]?.pinned).toBe(false);
        }
        expect(going.size).toBeLessThan(ids.length);
        expect(removePruned(own.store.connection, plan, now)).toBe(going.size);
        expect(own.store.stats.counts().summaries).toBe(ids.length - going.size);
        expect(prunable(own.store.connection, now).filter(({ id }) => going.has(id))).toEqual([]);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe('a duplicate', () => {
  const call = { input: { b: 1, a: [{ y: 2, x: 'x' }] }, output: 'same' };
  const same = () => 'did the same';

  test('is the same call with the same result in the same session, whatever its time, id and order of keys', () => {
    const [a, b, c] = summarised(
      own.store,
      [eventAt(1, call), eventAt(2, { ...call, input: { a: [{ x: 'x', y: 2 }], b: 1 } }), eventAt(3, call)],
      same,
    );
    expect(pruned()).toEqual([
      [a, 'duplicate', c],
      [b, 'duplicate', c],
    ]);
  });

  test('is not what differs in session, tool, input, output, failure or words', () => {
    summarised(
      own.store,
      [
        eventAt(1, call),
        eventAt(2, { ...call, sessionId: 's2' }),
        eventAt(3, { ...call, tool: 'Read' }),
        eventAt(4, { ...call, output: 'other' }),
        eventAt(5, { ...call, input: { b: 1 } }),
        eventAt(6, { ...call, isError: true }),
      ],
      same,
    );
    summarised(own.store, [eventAt(7, call)], () => 'in other words');
    expect(pruned()).toEqual([]);
  });

  test('is not what cannot be read', () => {
    const ids = summarised(own.store, [eventAt(1, call), eventAt(2, call)], same);
    own.store.connection.run(`UPDATE events SET payload_json = '{"torn'`);
    expect(ids).toHaveLength(2);
    expect(pruned()).toEqual([]);
  });

  test('is found in groups larger than a page', () => {
    const ids = summarised(
      own.store,
      Array.from({ length: 300 }, (_, at) => eventAt(at, call)),
      same,
    );
    expect(prunable(own.store.connection, now).map(({ id }) => id)).toEqual(ids.slice(0, -1));
  });
});

describe('removing', () => {
  test('leaves what was pinned since the plan was made, and removes the rest with all that hangs on it', () => {
    const [a = 0, b = 0, c = 0] = aged([30, 20, 10]);
    link(b, a);
    link(c, b);
    const plan = prunable(own.store.connection, now);
    expect(plan.map(({ id }) => id)).toEqual([a, b]);
    own.store.summaries.pin(b, true);
    expect(removePruned(own.store.connection, plan, now)).toBe(1);
    expect(own.store.stats.counts()).toMatchObject({ events: 2, summaries: 2 });
    const left =
      'SELECT (SELECT count(*) FROM edges) AS edges, (SELECT count(*) FROM summaries_fts) AS indexed';
    expect(own.store.connection.get(left)).toEqual({ edges: 1, indexed: 2 });
    expect(new ForgottenTable(own.store).among(['ev_0', 'ev_1'])).toEqual(new Set(['ev_0']));
  });

  test('leaves what has lost the one that stood for it', () => {
    const [a = 0, b = 0] = aged([30, 20]);
    link(b, a);
    const plan = prunable(own.store.connection, now);
    own.store.summaries.forget(b);
    expect(removePruned(own.store.connection, plan, now)).toBe(0);
    expect(own.store.summaries.get([a])).toHaveLength(1);
  });

  test('reports sizes as stored in the database', () => {
    const [a = 0, b = 0] = aged([30, 20]);
    link(b, a);
    const [one] = prunable(own.store.connection, now);
    const payload = own.store.summaries.payloadJson(a) ?? '';
    expect(one?.bytes).toBe(Buffer.byteLength(payload) + 'did 0'.length + 'term0'.length);
  });
});

test('the account of a session outlives what is pruned of it, not what is forgotten', () => {
  const [a = 0, b = 0, c = 0] = aged([30, 20, 10]);
  link(b, a);
  const account = { sessionId: 's1', text: 'all of it', terms: '', model: 'm', ts: '2026-01-01', lastSeq: 3 };
  own.store.digests.save(account);
  expect(removePruned(own.store.connection, prunable(own.store.connection, now), now)).toBe(1);
  expect(own.store.digests.get('s1')).toEqual(account);
  own.store.summaries.forget(c);
  expect(own.store.digests.get('s1')).toBeNull();
});

test('the lexical index is as it would be without what was pruned, and merges as before', () => {
  const [a = 0, b = 0] = aged([30, 20, 10]);
  link(b, a);
  const { connection } = own.store;
  removePruned(connection, prunable(connection, now), now);
  expect(
    connection.all("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'did' ORDER BY rowid"),
  ).toEqual([{ rowid: b }, { rowid: b + 1 }]);
  connection.run("INSERT INTO summaries_fts (summaries_fts) VALUES ('integrity-check')");
  expect(connection.all("SELECT k, v FROM summaries_fts_config WHERE k <> 'version' ORDER BY k")).toEqual([
    { k: 'automerge', v: 4 },
    { k: 'hashsize', v: 1024 * 1024 },
  ]);
});
