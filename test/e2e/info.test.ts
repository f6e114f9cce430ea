import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

async function linesOf(home: Home): Promise<string[]> {
  return (await home.memd(['info'])).stdout.trimEnd().split('\n');
}

async function captured(home: Home, client: string, name: string, ts: string): Promise<void> {
  const call = { tool: 'Read', input: { file_path: `${name}.ts` }, output: name };
  await home.capture({ ...call, client, ts, sessionId: `s-${name}`, toolUseId: `call-${name}` });
}

test('info says what was recorded by whom, and one number once', async () => {
  const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  fs.mkdirSync(path.join(home.home, '.codex'));
  await home.start();
  const empty = await linesOf(home);
  expect(empty).toContain('sessions   none yet');
  expect(empty).toContain('assistants Codex: not connected, nothing captured yet');
  expect(empty.at(-1)).toBe('next       `memd setup`: no assistant is connected, so nothing new is recorded');

  await captured(home, 'claude-code', 'moth', '2026-01-02T10:00:00.000Z');
  await captured(home, 'claude-code', 'wasp', '2026-01-03T10:00:00.000Z');
  await captured(home, 'codex', 'gnat', '2026-01-04T10:00:00.000Z');
  expect((await home.memd(['install', 'codex'])).code).toBe(0);
  const waiting = await linesOf(home);
  expect(waiting).toContain('events     3: 0 summarized, 3 raw, 0 skipped');
  expect(waiting.at(-1)).toBe('next       `memd drain`: 3 events wait for a summary');

  await home.memd(['drain']);
  const done = await linesOf(home);
  expect(done).toEqual(
    expect.arrayContaining([
      'sessions   3, last capture 2026-01-04',
      'assistants Claude Code: not connected, 2 sessions, last capture 2026-01-03',
      '           Codex: connected, 1 session, last capture 2026-01-04',
      expect.stringMatching(/^size {7}[\d.]+ [KM]iB in ~\/\.memd\//),
      'events     3, 0 of them messages; all summarised, with vectors',
    ]),
  );
  expect(done.join('\n')).not.toMatch(/^(?:summaries|embeddings|messages)/m);
  expect(done.at(-1)).toContain('mem search');
  expect((await home.info()).recorded).toEqual([
    { client: 'codex', sessions: 1, lastTs: '2026-01-04T10:00:00.000Z' },
    { client: 'claude-code', sessions: 2, lastTs: '2026-01-03T10:00:00.000Z' },
  ]);
});

test('without the daemon, info says the same of what is stored', async () => {
  const home = Home.open();
  await home.start();
  await captured(home, 'codex', 'gnat', '2026-01-04T10:00:00.000Z');
  await home.memd(['stop']);
  const lines = await linesOf(home);
  expect(lines).toContain('sessions   1, last capture 2026-01-04');
  expect(lines).toContain('daemon: unreachable');
});

test('memd up ends with the same, and the next step', async () => {
  const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  fs.mkdirSync(path.join(home.home, '.codex'));
  expect((await home.memd(['install', 'codex'])).code).toBe(0);
  const { stdout } = await home.memd(['up']);
  expect(stdout).toMatch(
    /\nsessions +none yet\nassistants +Codex: connected, nothing captured yet\nsize .+\nnext .+backfill`/,
  );
});
