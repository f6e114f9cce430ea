import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameDepthMax } from '../limits.ts';
import { ping, request } from './client.ts';
import { exchange, newServer, type TestServer, until } from './server-for-tests.ts';

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

  test('tells refusals in their words, and a broken invariant without its details', async () => {
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

  test('tells a handler that writes when the other side is gone', async () => {
    const client = net.connect(socket);
    client.write('{"op":"until-gone"}\n');
    await new Promise((resolve) => client.once('data', resolve));
    client.destroy();
    await until(() => own.held.length === 1);
  });
});
