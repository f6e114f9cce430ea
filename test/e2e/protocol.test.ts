import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { connectionsMax, frameBytesMax, frameDepthMax, frameValuesMax } from '#core/limits';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';

// One daemon for all tests of this file: whatever one of them sends, the next one must be answered.
let home: Home;
let pid: number;

beforeAll(async () => {
  home = Home.open();
  pid = await home.start();
});
beforeEach(async () => {
  expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
  expect(home.daemons()).toEqual([pid]);
});
afterAll(async () => {
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

async function withWire<T>(use: (wire: Wire) => Promise<T>): Promise<T> {
  const wire = await Wire.open(home.workspace().socket);
  try {
    return await use(wire);
  } finally {
    wire.close();
  }
}

const refusal = (code: string) => ({ ok: false, error: { code, message: expect.stringMatching(/.{10}/) } });

describe('when a request is answered', () => {
  test('a ping at its newline: the reply is {"ok":true} and nothing else', async () => {
    await withWire(async (wire) => {
      wire.send('{"op":"ping"}\n');
      expect(await wire.line()).toBe('{"ok":true}');
    });
  });

  test('a ping at half-close, without a newline, and the connection then ends', async () => {
    await withWire(async (wire) => {
      wire.send(' {"op":"ping"} ');
      wire.endHalf();
      expect(await wire.line()).toBe('{"ok":true}');
      expect(await wire.line()).toBeNull();
    });
  });

  test('a ping as soon as one whole JSON object has arrived, with the connection left open', async () => {
    await withWire(async (wire) => {
      wire.send('{"op":');
      wire.send('"ping"}');
      expect(await wire.line()).toBe('{"ok":true}');
      wire.send('{"op":"ping","note":"}\\"{"}');
      expect(await wire.line()).toBe('{"ok":true}');
    });
  });

  test('a request that comes byte by byte, in the middle of a character too', async () => {
    await withWire(async (wire) => {
      for (const byte of Buffer.from('{"op":"ping","rid":"äß記🧠"}\n')) wire.send(Buffer.from([byte]));
      expect(await wire.reply()).toEqual({ ok: true, rid: 'äß記🧠' });
    });
  });

  test('several requests on one connection, in their order, though a later one is done earlier', async () => {
    await withWire(async (wire) => {
      const requests: JsonObject[] = Array.from({ length: 40 }, (_, rid) =>
        rid % 3 === 0 ? { op: 'info', rid } : rid % 3 === 1 ? { op: 'ping', rid } : { op: 'nonsense', rid },
      );
      wire.send(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
      const rids = [];
      for (const _ of requests) rids.push((await wire.reply()).rid);
      expect(rids).toEqual(requests.map(({ rid }) => rid));
    });
  });

  test.each([1, 0, 'text', '', null, true, [1, { a: 2 }], { deep: { er: [] } }])(
    'rid %j is echoed, in an answer and in a refusal',
    async (rid) => {
      expect(await home.ask({ op: 'ping', rid })).toEqual({ ok: true, rid });
      expect(await home.ask({ op: 'nonsense', rid })).toMatchObject({ ok: false, rid });
    },
  );

  test('empty lines between requests are not requests', async () => {
    await withWire(async (wire) => {
      wire.send('\n\r\n  \n{"op":"ping","rid":1}\r\n\n{"op":"ping","rid":2}\n');
      expect([await wire.reply(), await wire.reply()]).toEqual([
        { ok: true, rid: 1 },
        { ok: true, rid: 2 },
      ]);
    });
  });
});

describe('a large request', () => {
  const much = 'how does the cache expire? '.repeat(40_000);

  test.each([
    ['a ping with a megabyte that no op knows', { op: 'ping', rid: 1, note: much }, { ok: true, rid: 1 }],
    ['a query of a megabyte', { op: 'search', query: much }, { ok: true, hits: [] }],
    [
      'a query of 140 kB',
      { op: 'search', query: 'é'.repeat(70_000), rid: 'r' },
      { ok: true, hits: [], rid: 'r' },
    ],
    [
      'a list of many values that no op knows',
      { op: 'focus', list: new Array(150_000).fill(0) },
      { ok: true, focus: null },
    ],
    ['an op that is not there', { op: 'nonsense', note: much }, refusal('unknown_op')],
    ['more ids than one may ask for', { op: 'get', ids: new Array(150_000).fill(7) }, refusal('bad_request')],
    ['a query that is no text', { op: 'search', query: [much] }, refusal('bad_request')],
    [
      'an asOf of a megabyte',
      { op: 'search', query: 'a', asOf: '1'.repeat(1 << 20) },
      refusal('bad_request'),
    ],
    [
      'a failed call that is asked about',
      { op: 'recall', event: 'failure', tool: 'Bash', input: { command: 'make' }, output: much, cwd: '/tmp' },
      { ok: true, memories: [], text: '' },
    ],
  ])('of any op is served as a small one is: %s', async (_, request, reply) => {
    expect(await home.ask(request)).toEqual(reply);
  });

  test('of 16 MiB is served, and holds up nobody', async () => {
    const query = 'x'.repeat(frameBytesMax - 100);
    expect(await home.ask({ op: 'search', query })).toEqual({ ok: true, hits: [] });
  });

  test('a stream asked for with one sends its lines, and keeps no room from others', async () => {
    const wires = await Promise.all(Array.from({ length: 5 }, () => Wire.open(home.workspace().socket)));
    const note = 'n'.repeat(frameBytesMax - 100);
    for (const wire of wires) {
      wire.send(`${JSON.stringify({ op: 'subscribe', note })}\n`);
      expect(await wire.reply()).toMatchObject({ counts: {} });
    }
    expect(await home.ask({ op: 'ping', note })).toEqual({ ok: true });
    for (const wire of wires) wire.close();
  });
});

describe('what is refused, in words', () => {
  test.each([
    ['an op that is not there', { op: 'nonsense' }, 'unknown_op'],
    ['an op that is the name of an inherited property', { op: 'constructor' }, 'unknown_op'],
    ['no op', {}, 'bad_request'],
    ['an op that is no text', { op: 7 }, 'bad_request'],
    ['a capture without a tool', { op: 'capture', input: {}, output: '' }, 'bad_request'],
    ['a search without a query', { op: 'search' }, 'bad_request'],
    ['a topK that is no number', { op: 'search', query: 'a', topK: 'ten' }, 'bad_request'],
    ['an asOf that is no time', { op: 'search', query: 'a', asOf: 'yesterday' }, 'bad_request'],
    ['a memory that is not there', { op: 'pin', id: 4711 }, 'bad_request'],
    ['ids that are no list', { op: 'get', ids: 3 }, 'bad_request'],
  ])('%s', async (_what, request, code) => {
    expect(await home.ask({ ...request, rid: 5 })).toEqual({ ...refusal(code), rid: 5 });
  });

  test.each([
    ['what is not JSON', '{"op":ping}\n'],
    ['what is not an object', '[1,2]\n'],
    ['a bare text', '"ping"\n'],
    ['not UTF-8', Buffer.from([...Buffer.from('{"op":"'), 0xff, 0xfe, ...Buffer.from('"}\n')])],
    ['half an object at half-close', '{"op":"pi'],
  ])('%s: bad_request', async (_what, bytes) => {
    await withWire(async (wire) => {
      wire.send(bytes);
      wire.endHalf();
      expect(await wire.reply()).toEqual(refusal('bad_request'));
    });
  });

  test('a bad line does not spoil the next one on its connection', async () => {
    await withWire(async (wire) => {
      wire.send('{"op":ping}\n{"op":"ping"}\n');
      expect(await wire.reply()).toMatchObject({ ok: false });
      expect(await wire.reply()).toEqual({ ok: true });
    });
  });

  test('nesting beyond the limit: bad_request; at the limit: taken', async () => {
    const nested = (depth: number) => `{"op":"ping","a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}\n`;
    await withWire(async (wire) => {
      wire.send(nested(frameDepthMax));
      expect(await wire.reply()).toEqual({ ok: true });
      wire.send(nested(frameDepthMax + 1));
      expect(await wire.reply()).toEqual(refusal('bad_request'));
    });
  });

  test('brackets in a text are not nesting', async () => {
    expect(await home.ask({ op: 'ping', text: '[{'.repeat(10_000) })).toEqual({ ok: true });
  });

  test('more values than the limit: too_large', async () => {
    await withWire(async (wire) => {
      wire.send(`{"op":"ping","a":[${'0,'.repeat(frameValuesMax + 1)}0]}\n`);
      expect(await wire.reply()).toEqual(refusal('too_large'));
    });
  });

  test('a frame over 16 MiB: too_large, sent before the connection ends, with and without a newline', async () => {
    for (const end of ['"}\n', '']) {
      await withWire(async (wire) => {
        wire.send(`{"op":"ping","a":"${'x'.repeat(frameBytesMax + 100)}${end}`);
        expect(await wire.reply()).toEqual(refusal('too_large'));
        await wire.closed();
      });
    }
  });
});

describe('what the daemon outlives', () => {
  test('garbage of every kind, connections that break off, and replies that nobody reads', async () => {
    let seed = 20_261;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return seed % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const wire = await Wire.open(home.workspace().socket);
      const bytes = Buffer.from(Array.from({ length: random(4_000) }, () => random(256)));
      wire.send(round % 2 === 0 ? bytes : `{"op":"info"}\n{"op":${bytes.toString('latin1')}`);
      if (round % 3 === 0) wire.endHalf();
      if (round % 5 !== 0) await wire.line().catch(() => null);
      wire.close();
    }
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
    expect(home.daemonLog().filter(({ level }) => level >= 50)).toEqual([]);
  });

  test('500 idle connections do not lock a hook out', async () => {
    const count = 500;
    expect(count).toBeGreaterThan(connectionsMax);
    const idlers = await Promise.all(Array.from({ length: count }, () => Wire.open(home.workspace().socket)));
    const before = (await home.info()).counts.events;
    const payload = { tool: 'Read', input: { file_path: 'a' }, output: 'b' };
    expect(await home.hook(payload)).toMatchObject({ code: 0, stdout: '{"ok":true}\n' });
    await until('the event', async () => (await home.info()).counts.events === before + 1);
    for (const idler of idlers) idler.close();
  });

  test('__proto__, constructor and toString in a captured call are data', async () => {
    const before = home.rows('SELECT count(*) AS n FROM events')[0]?.n;
    const input = '{"__proto__":{"polluted":1},"constructor":{"prototype":2},"toString":"x"}';
    await withWire(async (wire) => {
      wire.send(`{"op":"capture","tool":"Odd","input":${input},"output":"","__proto__":{"tool":"Wrong"}}\n`);
      expect(await wire.reply()).toMatchObject({ ok: true });
    });
    await until(
      'the event',
      () => home.rows('SELECT count(*) AS n FROM events')[0]?.n === Number(before) + 1,
    );
    const [row] = home.rows("SELECT payload_json FROM events WHERE tool = 'Odd'");
    expect(row?.payload_json).toContain(input.slice(1, -1));
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
  });

  test('a subscriber hears the counts at once and at a change, until it goes', async () => {
    await withWire(async (wire) => {
      wire.send('{"op":"subscribe","rid":9}\n');
      const { counts } = await home.info();
      expect(await wire.reply()).toEqual({ counts: { ...counts }, rid: 9 });
      await home.capture({ tool: 'Read', input: {}, output: 'more' });
      expect(await wire.reply()).toMatchObject({ counts: { events: counts.events + 1 } });
    });
  });
});
