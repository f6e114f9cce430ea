import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { frameBytesMax } from '#core/limits';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';

// What one client does, however large or slow, costs no other client an answer. How long the answers take is measured
// by `npm run bench:capture`, not asserted here.

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const wiresTo = (home: Home, count: number): Promise<Wire[]> =>
  Promise.all(Array.from({ length: count }, () => Wire.open(home.workspace().socket)));

const large = (name: string, bytes: number): string => {
  const request = { op: 'capture', rid: name, tool: 'Bash', input: { name }, output: '', toolUseId: name };
  const text = 'src/app.ts:12 a line of what the tool has printed\\n';
  const room = bytes - Buffer.byteLength(JSON.stringify(request));
  const line = JSON.stringify({ ...request, output: text.repeat(Math.ceil(room / text.length)) });
  // Cut to the byte, at no escape.
  return `${line.slice(0, bytes - 12)}${'x'.repeat(10)}"}`;
};

/** A client of its own that captures every few ms until `work` has settled. Answers how many were acknowledged. */
async function capturesDuring(home: Home, work: Promise<unknown>): Promise<number> {
  const [wire] = await wiresTo(home, 1);
  if (wire === undefined) throw new Error('no connection');
  let busy = true;
  const over = work.finally(() => {
    busy = false;
  });
  let count = 0;
  while (busy) {
    wire.send(`{"op":"capture","rid":${count},"tool":"Read","input":{"at":${count}},"output":"small"}\n`);
    expect(await wire.reply()).toMatchObject({ ok: true, id: expect.any(String), rid: count });
    count += 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await over;
  wire.close();
  return count;
}

async function stored(home: Home, tool: string, count: number): Promise<void> {
  const sql = 'SELECT count(*) AS n FROM events WHERE tool = ?';
  await until(`${count} events of ${tool}`, () => Number(home.rows(sql, tool)[0]?.n) === count);
}

test('frames of 16 MiB, at the limit, are captured while another client captures every 5 ms: all are acknowledged', async () => {
  const home = Home.open();
  const pid = await home.start();
  const wires = await wiresTo(home, 2);
  const sends = wires.map(async (wire, sender) => {
    for (const round of [0, 1, 2]) {
      const name = `large-${sender}-${round}`;
      const frame = large(name, frameBytesMax);
      expect(Buffer.byteLength(frame)).toBe(frameBytesMax);
      wire.send(frame);
      wire.send('{"op":"ping","rid":"after"}');
      expect(await wire.reply()).toMatchObject({ ok: true, id: expect.any(String), rid: name });
      expect(await wire.reply()).toEqual({ ok: true, rid: 'after' });
    }
    wire.close();
  });
  const meanwhile = await capturesDuring(home, Promise.all(sends));
  expect(meanwhile).toBeGreaterThan(0);
  await stored(home, 'Bash', 6);
  await stored(home, 'Read', meanwhile);
  expect((await home.info()).counters).toMatchObject({ captured: 6 + meanwhile, refused: 0 });
  expect(home.daemons()).toEqual([pid]);
});

test('a large frame is redacted, answered, refused and ignored as a small one is', async () => {
  const home = Home.open();
  await home.start();
  const secret = ['ghp', 'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'].join('_');
  const output = `${secret} ${'word '.repeat(200_000)} ${secret}`;
  const refusal = (code: string) => ({ ok: false, error: { code, message: expect.stringMatching(/.{10}/) } });
  const asked: [JsonObject, JsonObject][] = [
    [
      { op: 'capture', tool: 'Bash', input: {}, output, rid: 1 },
      { ok: true, rid: 1 },
    ],
    [
      { op: 'search', query: output, rid: 2 },
      { ok: true, hits: [], rid: 2 },
    ],
    [
      { op: 'nonsense', output, rid: 3 },
      { ...refusal('unknown_op'), rid: 3 },
    ],
    [
      { op: 'capture', output, rid: 4 },
      { ...refusal('bad_request'), rid: 4 },
    ],
    [
      { op: 'capture', payload: { hook_event_name: 'Stop', output }, rid: 5 },
      { ok: true, id: null, rid: 5 },
    ],
  ];
  for (const [request, reply] of asked) expect(await home.ask(request)).toMatchObject(reply);
  const [wire] = await wiresTo(home, 1);
  wire?.send(
    Buffer.concat([
      Buffer.from(`{"op":"capture","tool":"${'x'.repeat(300_000)}`),
      Buffer.from([0xff, 0x22, 0x7d]),
    ]),
  );
  expect(await wire?.reply()).toEqual(refusal('bad_request'));
  wire?.send(`{"op":"capture",${'x'.repeat(300_000)}}\n`);
  expect(await wire?.reply()).toEqual(refusal('bad_request'));
  wire?.close();
  await stored(home, 'Bash', 1);
  const [row] = home.rows('SELECT payload_json FROM events');
  expect(row?.payload_json).toContain('<redacted:');
  expect(row?.payload_json).not.toContain(secret.slice(8, 24));
});

test('with slow writers, and clients that read no reply, all captures are acknowledged; a frame not whole in time is refused', async () => {
  const home = Home.open();
  await home.start();
  const slow = await wiresTo(home, 60);
  const dripping = setInterval(() => {
    for (const wire of slow) wire.send('x');
  }, 20);
  for (const wire of slow) wire.send('{"op":"capture","tool":"');
  // Their replies pile up until the daemon reads no more of them.
  const deaf = await wiresTo(home, 10);
  for (const wire of deaf) {
    wire.pause();
    wire.send('{"op":"info"}\n'.repeat(2_000));
  }
  const refused = Promise.all(slow.map((wire) => wire.reply()));
  const meanwhile = await capturesDuring(home, refused);
  clearInterval(dripping);
  for (const reply of await refused) {
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'bad_request', message: expect.stringContaining('ms') },
    });
  }
  for (const wire of [...slow, ...deaf]) wire.close();
  await stored(home, 'Read', meanwhile);
  expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
});

test('during a flood of captures on many connections every client is answered', async () => {
  const home = Home.open();
  await home.start();
  const count = 300;
  const flood = (await wiresTo(home, 8)).map(async (wire, sender) => {
    const requests = Array.from(
      { length: count },
      (_, at) =>
        `{"op":"capture","tool":"Bash","input":{"s":${sender},"at":${at}},"output":"${'w '.repeat(4_000)}"}\n`,
    );
    wire.send(requests.join(''));
    for (let at = 0; at < count; at += 1) expect(await wire.reply()).toMatchObject({ ok: true });
    wire.close();
  });
  const meanwhile = await capturesDuring(home, Promise.all(flood));
  await stored(home, 'Bash', 8 * count);
  await stored(home, 'Read', meanwhile);
});
