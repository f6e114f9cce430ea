import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drainSpool, spool } from '#capture/intake';
import { endNoticeTool, identify, type JsonObject, leftOutMark, type ToolEvent } from '#core/event';
import { clientPayloads } from '../../../test/support/client-payloads.ts';
import { runs } from '../../../test/support/runs.ts';
import { readCapture } from '../../capture/intake/read-capture.ts';
import { openStore } from './store.ts';
import { nativeKeys } from './tables/copies.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-one-event-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Recorded payloads of all clients, and two of the plain form, one too long to be stored whole. */
const payloads: readonly JsonObject[] = distinct([
  ...clientPayloads.map(({ payload }) => payload),
  { tool: 'Bash', input: { command: 'make' }, output: 'made' },
  { tool: 'Bash', input: { command: 'make all' }, output: `begin ${'line\n'.repeat(20_000)} end` },
  { kind: 'message', role: 'user', text: 'Please make it.', sessionId: 's' },
]);

/** The event as the hook's frame brings it; null for a payload that holds none. */
function byFrame(payload: JsonObject, attempt: string, receivedAt: string): ToolEvent | null {
  const read = readCapture({ op: 'capture', payload, attempt, receivedAt, cwd: '/p' });
  // The end of work in the background is added to the call that started it.
  return read.kind === 'event' && read.event.tool !== endNoticeTool ? read.event : null;
}

/** What the second release kept of it when there was no time: under its id where the client gave one. */
function placeholder({ id, ...event }: ToolEvent): ToolEvent {
  expect(id).toMatch(/^ev_/);
  return identify({ ...event, output: leftOutMark });
}

/** Without those that another one's session would have as a copy: the recorded times are equal. */
function distinct(recorded: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set<string>();
  return recorded.filter((payload, at) => {
    const event = byFrame(payload, `run-${at}`, new Date(Date.UTC(2026, 0, 2) + at * 1_000).toISOString());
    const keys = event === null ? [] : nativeKeys(event);
    const isCopy = keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return !isCopy;
  });
}

const ways = ['frame', 'late frame', 'spool', 'placeholder', 'restart'] as const;
const step = fc.record({
  payload: fc.nat({ max: payloads.length - 1 }),
  way: fc.constantFrom(...ways),
});

test('by whichever ways and in whichever order an event comes, it is stored once and whole', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      round += 1;
      const file = path.join(folder, `${round}.sqlite`);
      const spooled = path.join(folder, `${round}.ndjson`);
      let store = openStore(file);
      const whole = new Map<string, ToolEvent>();
      let clock = 0;
      for (const { payload: at, way } of steps) {
        clock += 1;
        const payload = payloads[at] ?? {};
        // The run of the hook is the same on all its ways; the time at which each of them starts is not.
        const receivedAt = new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString();
        const event = byFrame(payload, `run-${at}`, receivedAt);
        if (event === null) continue;
        const known = [...whole.values()].find(({ id }) => id === event.id);
        if (way === 'placeholder') {
          // Without an id, a turn or a time of the client, nothing tells which event it stands for.
          if (event.toolUseId === null && event.message?.turnId === undefined) continue;
          store.events.insert([placeholder(event)]);
        } else if (way === 'spool') {
          spool(spooled, payload, { receivedAt, cwd: '/p', attempt: `run-${at}` });
          whole.set(event.id, known ?? event);
        } else if (way === 'restart') {
          store.close();
          store = openStore(file);
        } else {
          store.events.insert(way === 'frame' ? [event] : [event, event]);
          whole.set(event.id, known ?? event);
        }
      }
      await drainSpool(
        spooled,
        async (batch) => void store.events.insert(batch),
        (what) => expect(what).toBe(''),
      );
      for (const event of whole.values()) store.events.insert([event]);
      const rows = store.connection.all('SELECT id, payload_json FROM events');
      const stored = rows.filter((row) => whole.has(String(row.id)));
      expect(stored).toHaveLength(whole.size);
      for (const row of stored) {
        const { output } = JSON.parse(String(row.payload_json));
        expect(output).toEqual(whole.get(String(row.id))?.output);
      }
      // A placeholder stays only where the whole event never came.
      const others = rows.filter((row) => !whole.has(String(row.id)));
      expect(others.every((row) => String(row.payload_json).includes(leftOutMark))).toBe(true);
      store.close();
    }),
    { numRuns: runs(25) },
  );
});
