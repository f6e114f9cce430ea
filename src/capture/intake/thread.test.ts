import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '#core/event';
import { captureThreadQueueMax, largeRidCharsMax } from '#core/limits';
import { type BuiltWorker, buildWorker } from '../../../test/support/capture/worker.ts';
import { readCapture } from './read-capture.ts';
import type { ReadFrame } from './read-frame.ts';
import { CaptureThread } from './thread.ts';

let built: BuiltWorker;
let mortal: URL;
const opened: CaptureThread[] = [];

beforeAll(async () => {
  built = await buildWorker();
  // The same thread, and one word that ends it as a broken invariant would.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-mortal-'));
  const file = path.join(folder, 'mortal.cjs');
  const guard = `const { from } = Buffer;
    Buffer.from = (...given) => {
      const bytes = from(...given);
      if (bytes.includes('DIE')) throw new TypeError('broken');
      if (bytes.includes('EXIT')) process.exit(3);
      return bytes;
    };\n`;
  fs.writeFileSync(file, guard + fs.readFileSync(built.script, 'utf8'));
  mortal = pathToFileURL(file);
});
afterEach(async () => {
  for (const thread of opened.splice(0)) await thread.close();
});
afterAll(() => {
  built.remove();
  fs.rmSync(new URL('.', mortal), { recursive: true });
});

function open(script = built.script, idleMs?: number): CaptureThread {
  const thread = new CaptureThread({
    script,
    fields: ['query', 'ids', 'tool', 'input'],
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  opened.push(thread);
  return thread;
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const request = (at: number, more: object = {}) => ({
  op: 'capture',
  tool: 'Bash',
  input: { n: at },
  output: `o${at}`,
  toolUseId: `c${at}`,
  ts: '2026-01-01T00:00:00.000Z',
  ...more,
});

async function read(thread: CaptureThread, value: Json | string): Promise<{ rid: Json[]; read: ReadFrame }> {
  const rid: Json[] = [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const result = await thread.read(bytesOf(text), (value) => rid.push(value));
  return { rid, read: result };
}

describe('the capture thread', () => {
  test('reads what the socket’s thread would, and reports the rid', async () => {
    const thread = open();
    const secret = ['ghp', 'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'].join('_');
    const one = request(1, { output: `token ${secret} ${'x '.repeat(50_000)}`, rid: 'r' });
    expect(await read(thread, one)).toEqual({ rid: ['r'], read: readCapture(one) });
    const ignored = { op: 'capture', payload: { hook_event_name: 'Stop', session_id: `s ${secret}` } };
    const result = await read(thread, ignored);
    expect(result.read).toMatchObject({ kind: 'ignored', event: 'Stop' });
    expect(JSON.stringify(result)).not.toContain(secret);
  });

  test('takes the frame’s memory', async () => {
    const frame = bytesOf(JSON.stringify(request(1)));
    const reading = open().read(frame, () => {});
    expect(frame.length).toBe(0);
    await reading;
  });

  test.each([
    ['not JSON', '{"op":capture}', 'bad_request'],
    ['not an object', '[1]', 'bad_request'],
    ['a capture of nothing', '{"op":"capture"}', 'bad_request'],
    ['a rid without end', JSON.stringify(request(1, { rid: 'r'.repeat(largeRidCharsMax) })), 'too_large'],
  ])('refuses %s in words', async (_what, text, code) => {
    await expect(read(open(), text)).rejects.toMatchObject({ code, message: expect.stringMatching(/.{10}/) });
  });

  test('refuses what is not UTF-8', async () => {
    const frame = new Uint8Array([0x7b, 0xff, 0x7d]);
    await expect(open().read(frame, () => {})).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('answers in the order it was asked', async () => {
    const thread = open();
    const order: number[] = [];
    const all = Array.from({ length: 30 }, (_, at) => at);
    await Promise.all(
      all.map(async (at) => {
        await read(thread, request(at, { output: 'y '.repeat(at % 3 === 0 ? 100_000 : 1) }));
        order.push(at);
      }),
    );
    expect(order).toEqual(all);
  });

  test('refuses more than its queue holds, and reads what is in it', async () => {
    const thread = open();
    // One more than the queue is being read.
    const count = captureThreadQueueMax + 1;
    const taken = Array.from({ length: count }, (_, at) => read(thread, request(at)));
    await expect(read(thread, request(count))).rejects.toMatchObject({ code: 'busy' });
    expect(await Promise.all(taken)).toHaveLength(count);
  });

  test.each([
    ['DIE', 'broken'],
    ['EXIT', 'ended'],
  ])('that dies (%s) costs the frame it was at and no other', async (word, why) => {
    const thread = open(mortal);
    const results = await Promise.allSettled([
      read(thread, request(1)),
      read(thread, request(2, { output: word })),
      read(thread, request(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: expect.stringContaining(why) } });
    expect(await read(thread, request(4))).toMatchObject({ read: { kind: 'event' } });
  });

  test('that is refused by the system refuses every frame, and leaves none waiting', async () => {
    const thread = open(new URL('https://memd.invalid/capture.cjs'));
    const results = await Promise.allSettled([1, 2, 3].map((at) => read(thread, request(at))));
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'unavailable' } });
  });

  test('is started when it is needed, ends when it is idle, and is started again', async () => {
    const thread = open(built.script, 1);
    expect(thread.isRunning).toBe(false);
    for (let at = 0; at < 3; at += 1) {
      await read(thread, request(at));
      while (thread.isRunning) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('refuses what it has not read when it is closed', async () => {
    const thread = open();
    const waiting = Promise.allSettled([1, 2, 3].map((at) => read(thread, request(at))));
    await thread.close();
    for (const result of await waiting) expect(result).toMatchObject({ reason: { code: 'unavailable' } });
    await expect(read(thread, request(4))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
