import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, type Json, type Observation, type ToolEvent } from '#core/event';
import { runs } from '../../../../test/support/runs.ts';
import { allRows } from '../reads/archive-rows.ts';
import { openStore, type Store } from '../store.ts';
import { importRows } from '../sync/import-rows.ts';
import { duplicateFarMs, duplicateNearMs, rebuildDuplicates } from './duplicates.ts';
import { ForgottenTable } from './forgotten.ts';

let folder: string;
let store: Store;
const file = (): string => path.join(folder, 'db.sqlite');
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-twins-'));
  store = openStore(file());
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const startMs = Date.parse('2026-05-04T03:00:00.000Z');

interface Call {
  readonly atMs: number;
  readonly input?: Json;
  readonly output?: string;
  readonly session?: string;
  readonly tool?: string;
}

function observed(call: Call, toolUseId: string | null): Observation {
  const { atMs, input = { command: 'make' }, output = 'made', session = 's', tool = 'bash' } = call;
  const ts = new Date(startMs + atMs).toISOString();
  const rest = { client: 'gemini-cli', isError: false, cwd: null } as const;
  return { tool, input, output, sessionId: session, toolUseId, ts, ...rest };
}

/** The hook's observation: no call id. */
function live(call: Call): ToolEvent {
  return identify(observed(call, null));
}

/** The transcript's record, a little later. */
function recorded(call: Call, id: string, laterMs = 150): ToolEvent {
  return identify(observed({ ...call, atMs: call.atMs + laterMs }, id));
}

const stored = () =>
  store.connection.all(
    "SELECT id, tool_use_id AS call, json_extract(payload_json, '$.toolUseId') AS payload FROM events ORDER BY seq",
  );

describe('a call that a hook reports without its id, and a transcript with it', () => {
  it('is one event, with the id that it had and the call’s own', () => {
    const one = live({ atMs: 0 });
    expect(store.events.insert([one])).toEqual({ inserted: 1, duplicates: 0 });
    expect(store.events.insert([recorded({ atMs: 0 }, 'c1')])).toEqual({ inserted: 0, duplicates: 1 });
    expect(stored()).toEqual([{ id: one.id, call: 'c1', payload: 'c1' }]);
  });

  it('is one event in the other order, too', () => {
    const one = recorded({ atMs: 0 }, 'c1');
    store.events.insert([one]);
    store.events.insert([live({ atMs: 0 })]);
    expect(stored()).toEqual([{ id: one.id, call: 'c1', payload: 'c1' }]);
  });

  it('gets the turn of a message that only the transcript names', () => {
    const said = (toolUseId: string | null, turnId: string | null) =>
      identify({
        ...observed({ atMs: 0, input: {}, output: 'Grind the rye.', tool: 'Prompt' }, toolUseId),
        message: { role: 'user', turnId, agentId: null },
      });
    store.events.insert([said(null, null)]);
    store.events.insert([said('m1', 't1')]);
    const sql = "SELECT turn_id, json_extract(payload_json, '$.message.turnId') AS payload FROM events";
    expect(store.connection.all(sql)).toEqual([{ turn_id: 't1', payload: 't1' }]);
  });

  it('is known when either is repeated', () => {
    const both = [live({ atMs: 0 }), recorded({ atMs: 0 }, 'c1')];
    for (const events of [both, both.toReversed(), both]) store.events.insert(events);
    expect(stored()).toHaveLength(1);
    expect(store.events.known(both.map(({ id }) => id)).size).toBe(2);
  });

  it('is the same with the keys of its input in another order, and in Copilot CLI’s other spelling', () => {
    store.events.insert([live({ atMs: 0, tool: 'Bash', input: { a: 1, b: [{ c: 2, d: 3 }] } })]);
    store.events.insert([recorded({ atMs: 0, input: { b: [{ d: 3, c: 2 }], a: 1 } }, 'c1')]);
    expect(stored()).toHaveLength(1);
  });

  it('is two with another input, session, tool, or a while apart with another output', () => {
    const one: Call = { atMs: 0 };
    store.events.insert([live(one)]);
    const others: Call[] = [
      { ...one, input: { command: 'make all' } },
      { ...one, session: 't' },
      { ...one, tool: 'view' },
      { ...one, atMs: duplicateNearMs + 1, output: 'made again' },
      { ...one, atMs: duplicateFarMs + 1 },
      { ...one, atMs: -2_000 },
    ];
    store.events.insert(others.map((call, at) => recorded(call, `c${at}`)));
    expect(stored()).toHaveLength(7);
  });

  it('of a client that gives its ids everywhere is not looked for', () => {
    const one = { ...live({ atMs: 0 }), client: 'claude-code' } as const;
    store.events.insert([one, { ...recorded({ atMs: 0 }, 'c1'), client: 'claude-code' }]);
    expect(stored()).toHaveLength(2);
    expect(store.connection.all('SELECT * FROM unpaired')).toEqual([]);
  });

  it('leaves none over when alike ones come late, by a clock that makes the transcript a little earlier', () => {
    const calls = [0, 55_000].map((atMs) => ({ atMs }));
    store.events.insert([recorded({ atMs: 0 }, 'c0', -9), recorded({ atMs: 55_000 }, 'c1', 800)]);
    store.events.insert(calls.map(live));
    expect(stored().map(({ call }) => call)).toEqual(['c0', 'c1']);
  });

  it('goes with what lies nearest in content when it was made again and again', () => {
    const calls = ['one', 'two', 'three'].map((output, at) => ({ atMs: at * 1_000, output }));
    store.events.insert(calls.map(live));
    store.events.insert(calls.map((call, at) => recorded(call, `c${at}`, 5_000)).toReversed());
    expect(stored().map(({ call }) => call)).toEqual(['c0', 'c1', 'c2']);
  });
});

describe('what was forgotten', () => {
  const forget = (id: string): void =>
    store.connection.transaction(() => {
      new ForgottenTable(store).add([id], '2026-05-04T04:00:00.000Z');
      store.connection.run('DELETE FROM events WHERE id = ?', id);
    });

  it('does not come back from the other side, paired before or not', () => {
    const pairs = [0, 60_000].map((atMs, at) => [live({ atMs }), recorded({ atMs }, `c${at}`)] as const);
    const [[one, oneTold], [other, otherTold]] = pairs as [(typeof pairs)[0], (typeof pairs)[0]];
    store.events.insert([one, oneTold, other]);
    forget(one.id);
    forget(other.id);
    store.events.insert([oneTold, otherTold, one, other]);
    expect(stored()).toEqual([]);
    const all = [one, oneTold, other, otherTold].map(({ id }) => id);
    expect(new ForgottenTable(store).among(all).size).toBe(4);
  });

  it('does not come back from the other side either when the database had to be salvaged in between', () => {
    const [one, other] = [live({ atMs: 0 }), live({ atMs: 60_000 })];
    store.events.insert([one, other]);
    forget(one.id);
    store.damaged('as a test says');
    store.close();
    store = openStore(file(), { repair: true });
    expect(store.repaired?.events).toBe(1);
    const again = [recorded({ atMs: 0 }, 'c0'), recorded({ atMs: 60_000 }, 'c1')];
    expect(store.events.insert(again)).toEqual({ inserted: 0, duplicates: 2 });
    expect(stored().map(({ id, call }) => [id, call])).toEqual([[other.id, 'c1']]);
  });

  it('leaves no trace of what it wrote', () => {
    const one = live({ atMs: 0, output: 'a secret' });
    store.events.insert([one]);
    forget(one.id);
    expect(store.connection.all('SELECT output FROM unpaired')).toEqual([{ output: '' }]);
  });
});

it('finds again from the events what is paired and what waits', () => {
  store.events.insert([live({ atMs: 0 }), recorded({ atMs: 0 }, 'c1'), live({ atMs: 60_000 })]);
  const tables = () =>
    ['paired', 'unpaired'].map((table) => store.connection.all(`SELECT * FROM ${table} ORDER BY 1, 2`));
  const before = tables();
  store.connection.exec('DELETE FROM paired; DELETE FROM unpaired');
  store.connection.transaction(() => rebuildDuplicates(store.connection));
  expect(tables()).toEqual(before);
});

it('holds for events that come from an export, paired or not', () => {
  const [one, other] = [live({ atMs: 0 }), live({ atMs: 60_000 })];
  store.events.insert([one, recorded({ atMs: 0 }, 'c1'), other]);
  const rows = [...allRows(store.connection)].filter(({ type }) => type === 'event');
  store.connection.exec('DELETE FROM events; DELETE FROM paired; DELETE FROM unpaired');
  importRows(store.connection, rows, {
    lifts: 'never',
    withheld: new Set(),
    originOf: () => null,
  });
  store.events.insert([recorded({ atMs: 0 }, 'c1'), recorded({ atMs: 60_000 }, 'c2'), one, other]);
  expect(stored().map(({ id, call }) => [id, call])).toEqual([
    [one.id, 'c1'],
    [other.id, 'c2'],
  ]);
});

it('foretells what it will do, and does nothing', () => {
  const [one, other] = [live({ atMs: 0 }), live({ atMs: 60_000 })];
  store.events.insert([one]);
  const previewed = store.events.preview([one, recorded({ atMs: 0 }, 'c1'), other]);
  expect(previewed).toEqual([
    { known: true, duplicates: [], keys: [] },
    { known: false, duplicates: [one.id], keys: [expect.any(String)] },
    { known: false, duplicates: [], keys: [] },
  ]);
  expect(stored()).toHaveLength(1);
});

it('makes as many events of any calls as there were, whatever the hook missed and whatever came first', () => {
  // One call after the other; the hook runs some time before the transcript is written, within the call's own time.
  const call = fc.record({
    pauseMs: fc.nat({ max: 30_000 }),
    hookMs: fc.nat({ max: duplicateNearMs }),
    isLive: fc.boolean(),
    input: fc.constantFrom<Json>({ command: 'make' }, { command: 'test' }),
    output: fc.constantFrom('done', 'failed'),
  });
  const scene = fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 12 }),
    /** Of each telling, when it arrives: the transcript is read in its order, and may be read between any two others. */
    arrivals: fc.infiniteStream(fc.nat()),
    transcriptAt: fc.nat(),
    batch: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(scene, ({ calls, arrivals, transcriptAt, batch }) => {
      store.connection.exec(
        'DELETE FROM events; DELETE FROM paired; DELETE FROM unpaired; DELETE FROM forgotten; DELETE FROM natives',
      );
      let atMs = 0;
      const made = calls.map(({ pauseMs, hookMs, isLive, input, output }, at) => {
        atMs += pauseMs;
        const record = recorded({ atMs, input, output }, `c${at}`, hookMs);
        const one = { isLive, hook: live({ atMs, input, output }), recorded: record };
        atMs += hookMs + 1;
        return one;
      });
      const lives = made
        .filter(({ isLive }) => isLive)
        .map(({ hook }) => ({ hook, rank: arrivals.next().value ?? 0 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ hook }) => hook);
      const transcript = made.map((one) => one.recorded);
      const before = transcriptAt % (lives.length + 1);
      const steps = [...lives.slice(0, before), null, ...lives.slice(before), null];
      for (const step of steps) {
        if (step !== null) store.events.insert([step]);
        else
          for (let at = 0; at < transcript.length; at += batch)
            store.events.insert(transcript.slice(at, at + batch));
      }
      expect(stored()).toHaveLength(calls.length);
      // And none matches another call: that call would be lost, and the other one stored twice.
      const rows = store.connection.all('SELECT tool_use_id AS call, payload_json AS payload FROM events');
      for (const { call: name, payload } of rows) {
        const { input, output } = calls[Number(String(name).slice(1))] ?? {};
        expect(JSON.parse(String(payload))).toMatchObject({ input, output });
      }
    }),
    { numRuns: runs(50) },
  );
});

describe('a payload that somebody has torn', () => {
  it.each(['{"tool":"bash","in', '', 'null', '[]'])(
    '%j is paired with nothing, and stops neither a capture nor an upgrade',
    (torn) => {
      const one = live({ atMs: 0 });
      store.events.insert([one, live({ atMs: 60_000, input: { command: 'another' } })]);
      store.connection.run('UPDATE events SET payload_json = ? WHERE id = ?', torn, one.id);
      expect(store.events.insert([recorded({ atMs: 0 }, 'call-1')])).toMatchObject({ inserted: 0 });
      store.connection.exec('DELETE FROM unpaired; DELETE FROM paired');
      store.connection.transaction(() => rebuildDuplicates(store.connection));
      expect(store.connection.get('SELECT count(*) AS n FROM unpaired')).toEqual({ n: 1 });
    },
  );
});
