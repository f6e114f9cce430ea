import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const reason = `We keep the mill on SQLite because the second server went down three times. ${'It is one file. '.repeat(40)}`;

function message(role: 'user' | 'assistant', text: string, minute: number): JsonObject {
  return { ...at(minute), kind: 'message', role, text, turnId: 't1' };
}

function at(minute: number): JsonObject {
  return { sessionId: 's1', ts: `2026-03-01T10:0${minute}:00.000Z` };
}

/** A turn: a request, two calls, a reply. */
async function rememberTurn(home: Home): Promise<void> {
  await home.capture(message('user', 'Which database should the mill use?', 1));
  await home.capture({ ...at(2), tool: 'Bash', input: { command: 'npm run bench' }, output: '3 ms' });
  await home.capture({ ...at(3), tool: 'Read', input: { file_path: 'mill.ts' }, output: 'grind' });
  await home.capture(message('assistant', reason, 4));
  await home.ask({ op: 'drain' });
}

test('messages have their kind in every list, are shown as text, and lead to the calls of their turn', async () => {
  const home = Home.open({ config: { drain: { backend: 'builtin' } } });
  await home.start();
  await rememberTurn(home);
  const { summaries } = JSON.parse((await home.mem(['recent', '--json'])).stdout);
  expect(summaries).toMatchObject([
    { kind: 'message', role: 'assistant', turnId: 't1' },
    { kind: 'call', tool: 'Read' },
    { kind: 'call', tool: 'Bash' },
    { kind: 'message', role: 'user', turnId: 't1' },
  ]);
  expect((await home.info()).counts).toMatchObject({ events: 4, messages: 2 });

  const replyId = summaries[0].id;
  const found = await home.mem(['search', 'why SQLite for the mill', '--kind', 'message', '--json']);
  expect(JSON.parse(found.stdout).hits[0]).toMatchObject({ id: replyId, kind: 'message', role: 'assistant' });
  const calls = await home.mem(['search', 'mill bench', '--kind', 'call,session', '--json']);
  const kinds = JSON.parse(calls.stdout).hits.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('call');
  expect(kinds).not.toContain('message');
  expect(await home.mem(['search', 'mill', '--kind', 'talk'])).toMatchObject({ code: 2 });
  expect(await home.ask({ op: 'search', query: 'mill', kinds: ['talk'] })).toMatchObject({
    ok: false,
    error: { code: 'bad_request' },
  });

  const shown = (await home.mem(['show', String(replyId)])).stdout;
  expect(shown).toContain('Assistant message');
  expect(shown).toContain(reason.trim());
  expect(shown).toContain(`mem timeline ${replyId}`);
  expect(shown).not.toContain('{');
  const turn = (await home.mem(['timeline', String(summaries[3].id)])).stdout;
  expect([...turn.matchAll(/#\d+ · ([\w ]+) ·/g)].map(([, what]) => what)).toEqual([
    'user message',
    'Bash',
    'Read',
    'assistant message',
  ]);
});

test('with capture.messages off a message is acknowledged as ignored, and info says so', async () => {
  const home = Home.open({ config: { capture: { messages: false } } });
  await home.start();
  const ignored = await home.ask({ op: 'capture', ...message('user', 'Which database?', 1) });
  expect(ignored).toMatchObject({ ok: true, id: null, ignored: expect.stringContaining('capture.messages') });
  await home.capture({ ...at(2), tool: 'Bash', input: { command: 'ls' }, output: '' });
  expect(await home.info()).toMatchObject({ messages: false, counts: { events: 1, messages: 0 } });
  expect((await home.memd(['info'])).stdout).toMatch(/messages +off/);
  await home.memd(['stop']);
  expect(JSON.parse((await home.memd(['info', '--json'])).stdout)).toMatchObject({ messages: false });
});
