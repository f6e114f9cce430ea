import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Edge, Store } from '#memory/store';
import { bash, edit, payloadOf, type TestCall } from '../../../test/support/curate/calls.ts';
import { runs } from '../../../test/support/runs.ts';
import { newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { type CurateResult, curate, curateNeighboursMax } from './curator.ts';

let own: TestStore;
let store: Store;
let reports: string[];

beforeEach(() => {
  own = newStore();
  store = own.store;
  reports = [];
});
afterEach(() => own.remove());

/** Stores calls with a summary each; answers the summaries' ids, in the calls' order. */
function stored(...calls: readonly TestCall[]): number[] {
  const events = calls.map((call, index) => ({
    ...payloadOf(call),
    id: `ev_${call.at}_${index}_${store.stats.counts().events}`,
    client: 'claude-code' as const,
  }));
  return summarised(store, events, (at) => `Ran ${JSON.stringify(calls[at]?.input)}`);
}

function curated(signal = new AbortController().signal): Promise<CurateResult> {
  return curate({ store, signal, report: (message) => reports.push(message) });
}

function edges(): Edge[] {
  const ids = store.connection.all('SELECT id FROM summaries').map((row) => Number(row.id));
  return store.edges.touching(ids);
}

const links = (): string[] =>
  edges()
    .map(({ from, to }) => `${from}->${to}`)
    .sort();
const run = (at: number): TestCall => bash(at, 'ls src', 'cart.ts\ntax.ts');

describe('curate', () => {
  test('links the newer to the older, with the time of the newer, and does nothing twice', async () => {
    const [older = 0, newer = 0] = stored(run(1), run(2));
    expect(await curated()).toEqual({ curated: 2, edges: 1 });
    expect(edges()).toMatchObject([
      { from: newer, to: older, kind: 'supersedes', ts: '2026-01-01T00:02:00.000Z' },
    ]);
    expect(await curated()).toEqual({ curated: 0, edges: 0 });
    store.connection.run('UPDATE summaries SET curated = 0');
    expect(await curated()).toEqual({ curated: 2, edges: 0 });
  });

  test('a chain has as many edges as links, however long', async () => {
    const ids = stored(...Array.from({ length: 5 * curateNeighboursMax }, (_, at) => run(at)));
    await curated();
    expect(edges()).toHaveLength(ids.length - 1);
    for (const [index, id] of ids.slice(1).entries()) expect(links()).toContain(`${id}->${ids[index]}`);
  });

  test('one that passes replaces all that failed since it last passed, and no more', async () => {
    const check = (at: number, failed: number): TestCall =>
      bash(at, 'npm test', failed > 0 ? `Exit code 1\n${failed} failed` : '0 failed', {
        isError: failed > 0,
      });
    const change = (at: number): TestCall => edit(at, `const old${at} = 1;`, `const now${at} = 2;`);
    const ids = stored(
      ...[3, 2, 0, 1, 0].flatMap((failed, index) => [check(2 * index, failed), change(2 * index + 1)]),
    );
    const [one, two, passed, three, again] = ids.filter((_, index) => index % 2 === 0);
    await curated();
    expect(links()).toEqual(
      [`${passed}->${one}`, `${passed}->${two}`, `${three}->${passed}`, `${again}->${three}`].sort(),
    );
  });

  test('what another author recorded replaces nothing of the user, nor of a third', async () => {
    const authors = [null, 'bob', 'eve', null, 'bob', 'bob'];
    const ids = stored(...authors.map((_, at) => run(at)));
    for (const [at, author] of authors.entries())
      store.connection.run(
        `UPDATE events SET is_foreign = ?1 IS NOT NULL, author = ?1
          WHERE id = (SELECT event_id FROM summaries WHERE id = ?2)`,
        author,
        ids[at] ?? 0,
      );
    await curated();
    const [mine, bobs, eves, again, , last] = ids;
    const found = links();
    expect(found).toContain(`${again}->${mine}`);
    // The user's own run says something of everybody's.
    expect(found).toContain(`${again}->${eves}`);
    expect(found.filter((link) => link.startsWith(`${bobs}->`) || link.startsWith(`${eves}->`))).toEqual([]);
    expect(found.some((link) => link === `${last}->${again}` || link === `${last}->${mine}`)).toBe(false);
  });

  test('what comes late is linked on both sides', async () => {
    const [first, last] = stored(run(1), run(9));
    await curated();
    const [middle, oldest] = stored(run(5), run(0));
    await curated();
    expect(links()).toEqual(
      [`${last}->${first}`, `${last}->${middle}`, `${middle}->${first}`, `${first}->${oldest}`].sort(),
    );
  });

  test('what is older than all is linked to the first one, however many came since', async () => {
    const ids = stored(...Array.from({ length: 4 * curateNeighboursMax }, (_, at) => run(at + 10)));
    await curated();
    const [oldest] = stored(run(1));
    await curated();
    expect(links()).toContain(`${ids[0]}->${oldest}`);
  });

  test('in whatever order calls come, the same ones are replaced', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7 }),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        async (order, stops) => {
          for (const table of ['events', 'natives']) store.connection.run(`DELETE FROM ${table}`);
          for (const [index, at] of order.entries()) {
            stored(run(at));
            if (stops[index] === true) await curated();
          }
          await curated();
          const rows = store.connection.all(
            'SELECT ts FROM summaries WHERE id NOT IN (SELECT to_id FROM edges) ORDER BY ts',
          );
          expect(rows.map((row) => row.ts)).toEqual(['2026-01-01T00:07:00.000Z']);
          for (const { from, to } of edges()) {
            const [newer, older] = store.summaries.get([from, to]);
            expect((newer?.ts ?? '') > (older?.ts ?? '')).toBe(true);
          }
        },
      ),
      { numRuns: runs(15) },
    );
  });

  test('words that change are looked at again, and their edges stay', async () => {
    const [older = 0, newer = 0] = stored(run(1), run(2));
    await curated();
    store.summaries.reword(older, 'Other words', '');
    expect(store.connection.get('SELECT 1 FROM subjects WHERE summary_id = ?', older)).toBeUndefined();
    expect(await curated()).toEqual({ curated: 1, edges: 0 });
    expect(links()).toEqual([`${newer}->${older}`]);
  });

  test('what was forgotten leaves no subjects and no edges', async () => {
    const [older = 0] = stored(run(1), run(2));
    await curated();
    store.summaries.forget(older);
    expect(links()).toEqual([]);
    expect(store.connection.get('SELECT 1 FROM subjects WHERE summary_id = ?', older)).toBeUndefined();
  });

  test('a payload that nobody can read holds up nothing', async () => {
    const [broken = 0] = stored(run(1), run(2), run(3));
    store.connection.run(
      "UPDATE events SET payload_json = '{' WHERE id = (SELECT event_id FROM summaries WHERE id = ?)",
      broken,
    );
    expect(await curated()).toEqual({ curated: 3, edges: 1 });
    expect(await curated()).toEqual({ curated: 0, edges: 0 });
  });

  test('stops between two batches, and goes on the next time', async () => {
    stored(...Array.from({ length: 100 }, (_, at) => edit(at, `const old${at} = 1;`, `const now${at} = 2;`)));
    const stop = new AbortController();
    const going = curated(stop.signal);
    stop.abort();
    const { curated: done } = await going;
    expect(done).toBeLessThan(100);
    expect(await curated()).toMatchObject({ curated: 100 - done });
    expect(reports).toEqual([]);
  });

  test('notes what summaries are about', async () => {
    const [id = 0] = stored(edit(1, 'const old = 1;', 'const now = 2;'));
    await curated();
    const outcomes = store.connection.all('SELECT outcome FROM subjects WHERE summary_id = ?', id);
    expect(outcomes.map((row) => row.outcome)).toContain('changed');
  });
});
