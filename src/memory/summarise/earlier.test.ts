import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench } from '../../../test/support/summarise/drain.ts';
import type { Json, ToolEvent } from '../../core/event/index.ts';
import { earlierCallsMax, earlierCharsMax } from '../../core/limits.ts';
import { builtinBackend } from './builtin/index.ts';
import { EarlierCalls } from './earlier.ts';

let bench: Bench;

beforeEach(() => {
  bench = new Bench();
});
afterEach(() => {
  bench.remove();
});

interface Fields {
  readonly session?: string;
  readonly second?: number;
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: string;
  readonly isError?: boolean;
}

function call(id: string, fields: Fields = {}): ToolEvent {
  return {
    id,
    tool: fields.tool ?? 'Bash',
    input: fields.input ?? { command: id },
    output: fields.output ?? '',
    sessionId: fields.session ?? 's',
    toolUseId: id,
    ts: new Date(Date.UTC(2026, 0, 1, 0, 0, fields.second ?? 0)).toISOString(),
    client: 'generic',
    isError: fields.isError ?? false,
    cwd: '/home/dev/shop',
  };
}

const insert = (...events: readonly ToolEvent[]) => bench.store.events.insert(events);
const idsBefore = (seq: number): string[] =>
  new EarlierCalls(bench.store).before(seq).map((payload) => payload.toolUseId ?? '');

describe('the earlier calls', () => {
  test('are those of the session that happened and arrived before, the latest first', () => {
    insert(
      call('a', { second: 1 }),
      call('x', { second: 1, session: 'other' }),
      call('b', { second: 3 }),
      call('c', { second: 2 }),
      call('late', { second: 9 }),
      call('d', { second: 4 }),
      call('early', { second: 0 }),
    );
    expect(idsBefore(6)).toEqual(['b', 'c', 'a']);
    expect(idsBefore(1)).toEqual([]);
    expect(idsBefore(99)).toEqual([]);
  });

  test('of a session without a name are none: it may be anybody', () => {
    insert(call('a', { session: '' }), call('b', { session: '', second: 1 }));
    expect(idsBefore(2)).toEqual([]);
  });

  test('are bounded in number and in size, and pass over what is no payload', () => {
    insert(...Array.from({ length: earlierCallsMax + 5 }, (_, at) => call(`c${at}`, { second: at })));
    expect(idsBefore(earlierCallsMax + 5)).toHaveLength(earlierCallsMax);
    bench.store.connection.run("UPDATE events SET payload_json = '{' WHERE id = 'c2'");
    expect(idsBefore(5)).toEqual(['c3', 'c1', 'c0']);
    const big = 'x'.repeat(earlierCharsMax / 2);
    insert(...['p', 'q', 'r'].map((id, at) => call(id, { session: 'big', second: at, output: big })));
    expect(idsBefore(earlierCallsMax + 8)).toEqual(['q']);
  });

  test('end at one that retention has shrunk: whether it had failed, and how, may be gone', () => {
    const long = 'a line\n'.repeat(200);
    insert(
      ...Array.from({ length: 4 }, (_, at) => call(`c${at}`, { second: at, output: at === 1 ? long : '' })),
    );
    const { connection, retention } = bench.store;
    expect(idsBefore(4)).toEqual(['c2', 'c1', 'c0']);
    connection.run(
      `INSERT INTO summaries (event_id, text, model, ts, curated) SELECT id, 't', 'builtin', ts, 1 FROM events`,
    );
    connection.run("UPDATE events SET status = 'summarized'");
    expect(retention.shrink(null, null, 'to see').shrunk).toBe(1);
    expect(idsBefore(4)).toEqual(['c2']);
  });

  test('are the same whether they were kept or are read', () => {
    insert(...Array.from({ length: 9 }, (_, at) => call(`c${at}`, { second: at })));
    const kept = new EarlierCalls(bench.store);
    const first = kept.before(9);
    expect(kept.before(9)).toEqual(first);
    // The very same objects, so that what was made of them is found again.
    expect(kept.before(9)[0]).toBe(first[0]);
    bench.store.connection.run("DELETE FROM events WHERE id = 'c8'");
    expect(kept.before(9)).toEqual([]);
  });
});

describe('neighbours in the store', () => {
  const failing =
    'FAIL  src/cart.test.ts > adds twice\nAssertionError: expected 3 to be 4\n ❯ src/cart.test.ts:4:7';
  const edit = {
    file_path: '/home/dev/shop/src/cart.ts',
    old_string: 'let a = 1;',
    new_string: 'let a = 2;',
  };

  /** Two sessions, interleaved as they arrive. */
  function work(): ToolEvent[] {
    return Array.from({ length: 12 }, (_, round) => {
      const session = `s${round % 2}`;
      const test = { session, input: { command: 'npm test' } };
      const second = round * 4;
      return [
        call(`f${round}`, { ...test, second, output: failing, isError: true }),
        call(`e${round}`, { session, second: second + 1, tool: 'Edit', input: edit, output: 'ok' }),
        call(`r${round}`, {
          session,
          second: second + 2,
          tool: 'Read',
          input: { file_path: 'a.ts' },
          output: 'x',
        }),
        call(`p${round}`, { ...test, second: second + 3, output: 'Tests  4 passed (4)' }),
      ];
    }).flat();
  }

  async function texts(batchMax: number, limits: readonly (number | null)[]): Promise<string[]> {
    const one = new Bench();
    try {
      one.store.events.insert(work());
      const backend = { ...builtinBackend(), batchMax };
      for (const limit of limits) await one.run({ backend, calls: [] }, limit);
      const sql = 'SELECT s.text FROM summaries s JOIN events e ON e.id = s.event_id ORDER BY e.seq';
      return one.store.connection.all(sql).map((row) => String(row.text));
    } finally {
      one.remove();
    }
  }

  test('have the same summary whatever the batches and the drain', async () => {
    const whole = await texts(64, [null]);
    expect(whole).toHaveLength(48);
    expect(whole[3]).toBe(
      'Ran `npm test`. Tests 4 passed (4). Passed after failing 3 calls before (adds twice: expected 3 to be 4); changed in between: src/cart.ts.',
    );
    expect(whole.filter((text) => text.includes('Passed after'))).toHaveLength(12);
    expect(await texts(1, [null])).toEqual(whole);
    expect(await texts(5, [7, 1, 20, null])).toEqual(whole);
  });

  test('have the same summary when a row is tried again after all others', async () => {
    bench.store.events.insert(work());
    const asked = { backend: builtinBackend(), calls: [] };
    await bench.run(asked);
    const before = bench.store.summaries.recent(48, null, {});
    bench.store.connection.run("UPDATE events SET status = 'raw' WHERE id LIKE 'p%'");
    expect((await bench.run(asked)).processed).toBe(12);
    expect(bench.store.summaries.recent(48, null, {})).toEqual(before);
  });

  test('that cannot be read are an outage, and count against no row', async () => {
    insert(...work().slice(0, 4));
    const backend = builtinBackend();
    const unreadable = {
      ...backend,
      summarise: (events: Parameters<typeof backend.summarise>[0], signal: AbortSignal) =>
        backend.summarise(
          events.map((event) => ({
            ...event,
            earlier: () => {
              throw new Error('disk I/O error');
            },
          })),
          signal,
        ),
    };
    const result = await bench.run({ backend: unreadable, calls: [] });
    expect(result).toEqual({ processed: 0, firstError: 'disk I/O error' });
    expect(bench.rows().every((row) => row.status === 'raw' && row.attempts === 0)).toBe(true);
  });
});
