import fs from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { read } from '../../src/surfaces/cli/replies.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const message = { op: 'capture', kind: 'message', sessionId: 's1' } as const;
const secret = ['tangerine', 'submarine', '47'].join('-');

async function started(): Promise<Home> {
  const home = Home.open({ config: { drain: { backend: 'builtin' } } });
  await home.start();
  return home;
}

const stored = (home: Home) =>
  home.rows(
    'SELECT kind, role, turn_id, tool, payload_json ->> ? AS text FROM events ORDER BY seq',
    'output',
  );

test('a prompt and a reply are captured, found by search and returned by get, once each', async () => {
  const home = await started();
  const prompt = { ...message, role: 'user', text: 'Why does the quokka mill grind twice?', turnId: 't1' };
  const reply = {
    ...message,
    role: 'assistant',
    text: 'Because the hopper is filled before the latch of the wallaby gate closes.',
    ...{ messageId: 'msg_1', turnId: 't1' },
  };
  const first = await home.ask(prompt);
  expect(first).toMatchObject({ ok: true, id: expect.stringMatching(/^ev_/) });
  expect((await home.ask(prompt)).id).toBe(first.id);
  const second = await home.ask(reply);
  expect((await home.ask({ ...reply, ts: '2026-01-01T00:00:00.000Z' })).id).toBe(second.id);
  await home.ask({ op: 'drain' });
  expect(stored(home)).toEqual([
    { kind: 'message', role: 'user', turn_id: 't1', tool: 'Prompt', text: prompt.text },
    { kind: 'message', role: 'assistant', turn_id: 't1', tool: 'Reply', text: reply.text },
  ]);
  for (const [query, tool, id] of [
    ['quokka mill', 'Prompt', first.id],
    ['wallaby gate', 'Reply', second.id],
  ] as const) {
    const [hit] = read('search', await home.ask({ op: 'search', query })).hits;
    expect(hit).toMatchObject({ tool, sessionId: 's1' });
    const got = await home.ask({ op: 'get', ids: [hit?.id ?? 0] });
    expect(JSON.stringify(got)).toContain(query.split(' ')[0]);
    expect(home.rows('SELECT event_id FROM summaries WHERE id = ?', hit?.id ?? 0)).toEqual([
      { event_id: id },
    ]);
  }
});

test('equal words in two turns are two messages, and in two sessions', async () => {
  const home = await started();
  const yes = { ...message, role: 'user', text: 'yes' };
  for (const more of [
    { turnId: 't1' },
    { turnId: 't2' },
    { turnId: 't2' },
    { turnId: 't1', sessionId: 's2' },
  ])
    expect(await home.ask({ ...yes, ...more })).toMatchObject({ ok: true });
  await until('the commit', () => stored(home).length === 3);
  await home.memd(['stop']);
  expect(stored(home).map(({ turn_id }) => turn_id)).toEqual(['t1', 't2', 't1']);
});

test.each<[string, JsonObject]>([
  ['an unknown kind', { kind: 'note', role: 'user', text: 'hello' }],
  ['a kind that is not a text', { kind: 7, role: 'user', text: 'hello' }],
  ['an unknown role', { role: 'system', text: 'hello' }],
  ['no role', { text: 'hello' }],
  ['no text', { role: 'user' }],
  ['an empty text', { role: 'user', text: '' }],
  ['a text that is a number', { role: 'user', text: 7 }],
])('%s is a bad request, and nothing is stored', async (_name, fields) => {
  const home = await started();
  expect(await home.ask({ ...message, ...fields })).toMatchObject({
    ok: false,
    error: { code: 'bad_request' },
  });
  expect(stored(home)).toEqual([]);
});

test('what nobody wrote is ignored; private parts and secrets are never stored', async () => {
  const home = await started();
  const noise = '<system-reminder>Do not mention this.</system-reminder>';
  for (const text of [noise, '[Request interrupted by user]', '   '])
    expect(await home.ask({ ...message, role: 'user', text })).toMatchObject({ ok: true, id: null });
  expect(stored(home)).toEqual([]);
  const text = `Bake it with <private>the ${secret} recipe</private> and DB_PASSWORD=${secret} please.`;
  await home.ask({ ...message, role: 'user', text: `${noise}${text}` });
  await until('the commit', () => stored(home).length === 1);
  expect(stored(home).map((row) => row.text)).toEqual([
    'Bake it with <redacted:private> and DB_PASSWORD=<redacted:env> please.',
  ]);
  await home.memd(['stop']);
  for (const name of fs.readdirSync(home.workspace().folder)) {
    const file = `${home.workspace().folder}/${name}`;
    if (fs.statSync(file).isFile()) expect(fs.readFileSync(file).includes(secret), name).toBe(false);
  }
});

test('a message without a daemon is spooled redacted, and the next start stores it once', async () => {
  const home = await started();
  await home.memd(['stop']);
  const said = {
    kind: 'message',
    role: 'user',
    text: `use DB_PASSWORD=${secret}`,
    sessionId: 's1',
    turnId: 't1',
  };
  for (let time = 0; time < 2; time += 1)
    expect(await home.hook(said)).toMatchObject({ code: 0, stdout: '' });
  const spooled = fs.readFileSync(home.workspace().spool, 'utf8');
  expect(spooled).toContain('DB_PASSWORD=<redacted:env>');
  expect(spooled).not.toContain(secret);
  await home.start();
  await home.hook(said);
  await home.memd(['stop']);
  expect(stored(home)).toEqual([
    { kind: 'message', role: 'user', turn_id: 't1', tool: 'Prompt', text: 'use DB_PASSWORD=<redacted:env>' },
  ]);
  expect(fs.existsSync(home.workspace().spool)).toBe(false);
});
