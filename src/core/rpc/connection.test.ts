import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { exchange, newServer, type TestServer, until } from '../../../test/support/rpc/server.ts';
import { frameBytesMax, frameDepthMax, frameInlineBytesMax, largeFramesBytesMax } from '../limits.ts';
import { ping, request } from './client.ts';

let own: TestServer;
let socket: string;

beforeEach(async () => {
  own = await newServer();
  ({ socket } = own);
});
afterEach(() => own.remove());

const options = { timeoutMs: 5_000 };

describe('a connection', () => {
  test('answers a ping with exactly that', async () => {
    expect(await request(socket, { op: 'ping' }, options)).toEqual({ ok: true });
    expect(await ping(socket)).toBe('ok');
  });

  test('answers at half-close what has no newline, and ends', async () => {
    expect(await exchange(socket, '{"op":"ping"}')).toEqual([{ ok: true }]);
    expect(await exchange(socket, '')).toEqual([]);
  });

  test('answers several requests in their order, a slow one first, each with its rid', async () => {
    const answers = exchange(
      socket,
      '{"op":"hold","rid":1}{"op":"echo","text":"b","rid":"two"}\n{"op":"ping","rid":null}\n{"op":"ping"}',
    );
    await until(() => own.held.length === 1);
    for (const release of own.held) release();
    expect(await answers).toEqual([
      { ok: true, held: true, rid: 1 },
      { ok: true, text: 'b', rid: 'two' },
      { ok: true, rid: null },
      { ok: true },
    ]);
  });

  test('puts interim lines in the reply’s place in the order', async () => {
    const answers = exchange(socket, '{"op":"hold"}\n{"op":"count","rid":7}\n');
    await until(() => own.held.length === 1);
    for (const release of own.held) release();
    expect(await answers).toEqual([
      { ok: true, held: true },
      { at: 1, rid: 7 },
      { at: 2, rid: 7 },
      { at: 3, rid: 7 },
      { ok: true, done: true, rid: 7 },
    ]);
  });

  test('sends refusals with their message, and a broken invariant without its details', async () => {
    const answers = await exchange(
      socket,
      '{"op":"refuse","rid":1}\n{"op":"own"}\n{"op":"break"}\n{"op":"nope"}\n{"op":"ping"}\n',
    );
    expect(answers).toEqual([
      { ok: false, error: { code: 'busy', message: 'not now' }, rid: 1 },
      { ok: false, error: { code: 'unavailable', message: 'no disk' } },
      { ok: false, error: { code: 'internal', message: expect.not.stringContaining('secret') } },
      { ok: false, error: { code: 'unknown_op', message: 'unknown' } },
      { ok: true },
    ]);
    expect(own.failures).toEqual([new TypeError('secret detail')]);
  });

  test.each([
    ['no JSON', 'nonsense\n'],
    ['a list', '[1]\n'],
    ['a text', '"ping"\n'],
    ['not UTF-8', Buffer.concat([Buffer.from('{"op":"'), Buffer.from([0xff]), Buffer.from('"}\n')])],
  ])('refuses %s and goes on', async (_name, bytes) => {
    const answers = await exchange(
      socket,
      Buffer.concat([Buffer.from(bytes), Buffer.from('{"op":"ping"}\n')]),
    );
    expect(answers).toEqual([
      { ok: false, error: { code: 'bad_request', message: expect.any(String) } },
      { ok: true },
    ]);
    expect(own.failures).toEqual([]);
  });

  test('does not quote a bad request in its refusal', async () => {
    const answers = await exchange(socket, '{"password": hunter22secret}\n');
    expect(JSON.stringify(answers)).not.toContain('hunter22');
  });

  test('answers what came before a request that is beyond the limits, says why, and ends', async () => {
    const answers = await exchange(
      socket,
      `{"op":"ping"}\n${'['.repeat(frameDepthMax + 1)}\n{"op":"echo"}\n`,
      {
        half: false,
      },
    );
    expect(answers).toEqual([
      { ok: true },
      { ok: false, error: { code: 'bad_request', message: expect.stringContaining('nest') } },
    ]);
    expect(await ping(socket)).toBe('ok');
  });

  test('shows a handler that the other side is gone', async () => {
    const client = net.connect(socket);
    client.write('{"op":"until-gone"}\n');
    await new Promise((resolve) => client.once('data', resolve));
    client.destroy();
    await until(() => own.held.length === 1);
  });
});

test('a flood of requests on one connection is answered whole and in order, and others meanwhile', async () => {
  const rids = Array.from({ length: 3_000 }, (_, rid) => rid);
  const text = 'z'.repeat(500);
  const flood = exchange(socket, rids.map((rid) => JSON.stringify({ op: 'echo', rid, text })).join('\n'));
  for (let at = 0; at < 20; at += 1) expect(await ping(socket)).toBe('ok');
  expect((await flood).map(({ rid }) => rid)).toEqual(rids);
});

describe('a large frame', () => {
  const large = (op: string, rid: number, bytes = frameInlineBytesMax): string =>
    `${JSON.stringify({ op, rid, text: 'x'.repeat(bytes) })}\n`;

  test('is handed over unparsed, and answered in its place in the order', async () => {
    const text = large('hold', 1);
    const answers = exchange(
      socket,
      `${text}{"op":"ping","rid":2}\n${large('more', 3)}{"op":"ping","rid":4}\n`,
    );
    await until(() => own.held.length === 1);
    for (const release of own.held) release();
    const bytes = text.length - 1;
    expect(await answers).toEqual([
      { ok: true, bytes, rid: 1 },
      { ok: true, rid: 2 },
      { ok: true, bytes, rid: 3 },
      { ok: true, rid: 4 },
    ]);
  });

  test('of an op for all is handed on as it was read, in its place in the order', async () => {
    const answers = await exchange(socket, `${large('echo', 1)}{"op":"ping","rid":2}\n`);
    expect(answers).toEqual([
      { ok: true, text: 'small now', rid: 1 },
      { ok: true, rid: 2 },
    ]);
  });

  test('is refused in the words of who takes it, with its rid', async () => {
    const answers = await exchange(socket, `${large('refuse', 1)}${large('break', 2)}{"op":"ping"}\n`);
    expect(answers).toEqual([
      { ok: false, error: { code: 'too_large', message: 'not so much' }, rid: 1 },
      { ok: false, error: { code: 'internal', message: expect.not.stringContaining('secret') }, rid: 2 },
      { ok: true },
    ]);
    expect(own.failures).toEqual([new TypeError('secret detail')]);
  });

  test('is refused when those of other connections hold all the room, which is free when they have gone', async () => {
    const count = Math.floor(largeFramesBytesMax / frameBytesMax);
    const whole = large('hold', 1, frameBytesMax - 1_000);
    const holders: net.Socket[] = [];
    // One after the other: a busy machine reads all of them together in more than the time of one frame.
    while (holders.length < count) {
      const client = net.connect(socket);
      client.write(whole);
      holders.push(client);
      await until(() => own.held.length === holders.length);
    }
    const next = large('more', 9, 2 * frameInlineBytesMax);
    expect(await exchange(socket, next)).toEqual([
      { ok: false, error: { code: 'busy', message: expect.any(String) } },
    ]);
    expect(await exchange(socket, `{"op":"echo","text":"${'y'.repeat(1_000)}"}`)).toMatchObject([
      { ok: true },
    ]);
    for (const release of own.held) release();
    await Promise.all(holders.map((holder) => new Promise((resolve) => holder.once('data', resolve))));
    for (const holder of holders) holder.destroy();
    expect(await exchange(socket, next)).toEqual([{ ok: true, bytes: next.length - 1, rid: 9 }]);
  });

  test('that breaks off gives its room back', async () => {
    const half = large('more', 1, frameBytesMax - 1_000).slice(0, -10);
    for (let round = 0; round < 6; round += 1) {
      const client = net.connect(socket);
      await new Promise<void>((resolve) => client.write(half, () => resolve()));
      client.destroy();
    }
    // As soon as the server has noticed; without that this would never end.
    let answer: JsonObject | undefined;
    do [answer] = await exchange(socket, large('more', 2, frameBytesMax - 1_000));
    while (answer?.ok !== true);
  });
});
