import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { replayLog, WriteAheadLog } from '#capture/log';
import type { ToolEvent } from '#core/event';
import { pathCharsMax } from '#core/limits';
import { openStore, type Store } from '#memory/store';
import { type BuiltWorker, buildWorker } from '../../../test/support/capture/worker.ts';
import { Committer } from './committer.ts';
import { Intake } from './intake.ts';
import { CaptureThread } from './thread.ts';

let folder: string;
let file: string;
let log: WriteAheadLog;
let store: Store;
let reports: string[];
/** Why the store refuses at the moment, or null. */
let refusal: string | null;
let batches: string[][];
let committer: Committer;
let intake: Intake;
let thread: CaptureThread;
let built: BuiltWorker;

beforeAll(async () => {
  built = await buildWorker();
});
afterAll(() => built.remove());

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-capture-'));
  file = path.join(folder, 'wal.ndjson');
  log = await WriteAheadLog.openEmpty(file);
  store = openStore(path.join(folder, 'db.sqlite'));
  reports = [];
  refusal = null;
  batches = [];
  const report = (message: string, fields: Readonly<Record<string, string | number>>): void => {
    reports.push(`${message}: ${fields.error}`);
  };
  committer = new Committer({
    store: async (events) => {
      if (refusal !== null) throw new Error(refusal);
      batches.push(events.map((event) => event.id));
      return store.events.insert(events);
    },
    committed: (end) => log.committed(end),
    report,
  });
  thread = new CaptureThread({ script: built.script, fields: ['query'] });
  intake = new Intake({ log, committer, report, thread });
});
afterEach(async () => {
  await thread.close();
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const call = (at: number) => ({
  op: 'capture',
  tool: 'Bash',
  input: { n: at },
  output: `o${at}`,
  toolUseId: `c${at}`,
  sessionId: 's',
});

async function inLog(): Promise<ToolEvent[]> {
  const events: ToolEvent[] = [];
  await replayLog(
    file,
    async (batch) => void events.push(...batch),
    (message) => reports.push(message),
  );
  return events;
}

const inStore = (): number[] =>
  store.connection
    .all('SELECT payload_json AS p FROM events ORDER BY seq')
    .map((row) => Number(JSON.parse(String(row.p)).input.n));

async function closeAll(): Promise<void> {
  await committer.close();
  await log.close();
}

describe('a capture', () => {
  test('is in the log when it is answered, and in the store soon after', async () => {
    refusal = 'not yet';
    const { id } = await intake.capture(call(1));
    expect((await inLog()).map((event) => event.id)).toEqual([id]);
    refusal = null;
    await closeAll();
    expect(inStore()).toEqual([1]);
    expect(fs.readFileSync(file, 'utf8')).toBe('');
    expect(intake.counters).toMatchObject({ captured: 1, ignored: 0, refused: 0, redacted: 0 });
  });

  test('keeps its place among many at once', async () => {
    const all = Array.from({ length: 700 }, (_, at) => at);
    await Promise.all(all.map((at) => intake.capture(call(at))));
    await closeAll();
    expect(inStore()).toEqual(all);
    expect(fs.readFileSync(file, 'utf8')).toBe('');
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(256);
  });

  test('reported twice is one event', async () => {
    const first = await intake.capture(call(1));
    expect(await intake.capture(call(1))).toEqual(first);
    await closeAll();
    expect(inStore()).toEqual([1]);
  });

  test('waits in the log while the store refuses, and nothing is lost or out of order after', async () => {
    refusal = 'database is locked';
    await Promise.all([1, 2, 3].map((at) => intake.capture(call(at))));
    await committer.flush();
    expect(reports).toEqual(['commit failed: database is locked']);
    expect(intake.warnings().join()).toMatch(/takes no tool call \(3 wait in the log\): database is/);
    expect(await inLog()).toHaveLength(3);
    expect(inStore()).toEqual([]);
    await Promise.all([4, 5].map((at) => intake.capture(call(at))));
    refusal = null;
    await closeAll();
    expect(inStore()).toEqual([1, 2, 3, 4, 5]);
    expect(fs.readFileSync(file, 'utf8')).toBe('');
  });

  test('stays in the log when the daemon ends while the store refuses', async () => {
    refusal = 'disk I/O error';
    await Promise.all([1, 2].map((at) => intake.capture(call(at))));
    await closeAll();
    expect((await inLog()).map((event) => event.output)).toEqual(['o1', 'o2']);
    // What the next start does with it.
    await replayLog(
      file,
      async (events) => void store.events.insert(events),
      () => {},
    );
    expect(inStore()).toEqual([1, 2]);
  });

  test('that the log cannot take is refused, not acknowledged and not stored', async () => {
    await log.close();
    await expect(intake.capture(call(1))).rejects.toMatchObject({ code: 'unavailable' });
    await committer.close();
    expect(inStore()).toEqual([]);
    expect(intake.counters).toMatchObject({ captured: 0, refused: 1 });
    expect(reports[0]).toMatch(/^capture refused: the log cannot be written/);
  });

  test('has no secret in the log, the store or the answer', async () => {
    const secret = ['ghp', 'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'].join('_');
    refusal = 'not yet';
    const answer = await intake.capture({ ...call(1), output: `token is ${secret}`, sessionId: secret });
    const text = fs.readFileSync(file, 'utf8');
    refusal = null;
    await closeAll();
    const row = JSON.stringify(store.connection.all('SELECT * FROM events'));
    for (const place of [text, row, JSON.stringify(answer)]) {
      expect(place).not.toContain(secret);
      expect(place).not.toContain(secret.slice(8, 28));
    }
    expect(row).toContain('<redacted:');
    expect(intake.counters.redacted).toBe(2);
  });
});

describe('a large frame', () => {
  const bytes = (request: object): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(request)));
  const rids: unknown[] = [];
  const onRid = (rid: unknown): void => void rids.push(rid);

  test('is captured as the same request in a small one is', async () => {
    const large = { ...call(1), rid: [7], output: 'a line of it\n'.repeat(20_000) };
    const taken = await intake.takeFrame(bytes(large), onRid);
    expect(rids.splice(0)).toEqual([[7]]);
    expect(taken).toEqual({ reply: await intake.capture(large) });
    await closeAll();
    expect(inStore()).toEqual([1]);
    expect(intake.counters).toMatchObject({ captured: 2, refused: 0 });
  });

  test.each([
    ['of many bytes', { output: 'a line of it\n'.repeat(4_000) }],
    ['of many values', { input: { list: Array.from({ length: 2_000 }, () => 0) } }],
  ])('%s within the limit of the socket is read in the thread as well', async (_what, more) => {
    const request = { ...call(1), ...more };
    const values = JSON.stringify(request).split(',').length;
    const { id } = await intake.capture(request, { bytes: bytes(request), values });
    expect(thread.isRunning).toBe(true);
    expect(await intake.capture(request)).toEqual({ id });
    await closeAll();
  });

  test('that is ignored or refused counts as that', async () => {
    const payload = { hook_event_name: 'Notification', message: 'p'.repeat(200_000) };
    const ignored = await intake.takeFrame(bytes({ op: 'capture', payload }), onRid);
    expect(ignored).toMatchObject({ reply: { id: null } });
    await expect(intake.takeFrame(bytes({ op: 'capture', rid: 1 }), onRid)).rejects.toMatchObject({
      code: 'bad_request',
    });
    expect(rids.splice(0)).toEqual([1]);
    expect(intake.counters).toMatchObject({ captured: 0, ignored: 1, refused: 1 });
    await closeAll();
  });
});

test('calls that were lost are a warning', async () => {
  expect(intake.warnings()).toEqual([]);
  intake.imported({ events: 4, dropped: 3 });
  expect(intake.warnings()).toEqual([expect.stringMatching(/^3 tool calls are lost.*memd start/)]);
  await closeAll();
});

describe('a request', () => {
  test('whose time is none gets the present one, and whose folder is endless a bounded one', async () => {
    await intake.capture({ ...call(1), receivedAt: 'x'.repeat(90_000), cwd: `/${'d'.repeat(90_000)}` });
    const [event] = await inLog();
    expect(event?.ts).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(event?.cwd?.length).toBe(pathCharsMax);
    await closeAll();
  });

  test('with a client’s own payload is adapted', async () => {
    const payload = {
      hook_event_name: 'PostToolUse',
      session_id: 'abc',
      tool_name: 'Read',
      tool_input: { file_path: '/p/a' },
      tool_response: 'text',
      tool_use_id: 'toolu_9',
    };
    await intake.capture({ op: 'capture', payload, receivedAt: '2026-01-01T00:00:00.000Z' });
    await closeAll();
    expect(store.connection.all('SELECT tool, session_id, tool_use_id, client, ts FROM events')).toEqual([
      {
        tool: 'Read',
        session_id: 'abc',
        tool_use_id: 'toolu_9',
        client: 'claude-code',
        ts: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });

  test('without a finished call is ignored, and says so', async () => {
    const answer = await intake.capture({
      op: 'capture',
      payload: { hook_event_name: 'Notification', message: 'hi' },
    });
    expect(answer).toEqual({ id: null, ignored: expect.any(String) });
    const own = { ...call(1), tool: 'mem_search' };
    expect(await intake.capture(own)).toEqual({ id: null, ignored: expect.any(String) });
    await closeAll();
    expect(inStore()).toEqual([]);
    expect(intake.counters).toMatchObject({ captured: 0, ignored: 2 });
  });

  test.each([{}, { tool: '' }, { tool: 7 }, { payload: 'text' }, { payload: [1] }, { payload: null }])(
    'of no such form is refused: %j',
    async (request) => {
      await expect(intake.capture({ op: 'capture', ...request })).rejects.toMatchObject({
        code: 'bad_request',
      });
      expect(intake.counters).toMatchObject({ captured: 0, refused: 1 });
      await closeAll();
    },
  );
});
