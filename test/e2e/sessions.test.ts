import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const session = '0d0c0000-0000-4000-8000-00000000000d';

/** The transcript of a session: what was asked for, an edit, a check that fails and passes, a commit. */
function transcript(cwd: string): string {
  let minute = 0;
  const record = (
    type: string,
    content: readonly JsonObject[] | string,
    more: JsonObject = {},
  ): JsonObject => ({
    type,
    sessionId: session,
    cwd,
    timestamp: new Date(Date.UTC(2026, 2, 1, 10, minute++)).toISOString(),
    message: { role: type, content },
    ...more,
  });
  const call = (
    id: string,
    name: string,
    input: JsonObject,
    said: string,
    more: JsonObject = {},
  ): JsonObject[] => [
    record('assistant', [{ type: 'tool_use', id, name, input }]),
    record('user', [{ type: 'tool_result', tool_use_id: id, content: said, ...more }]),
  ];
  const file = path.join(cwd, 'src/mill.ts');
  const records = [
    record('user', 'make the mill grind at night, DB_PASSWORD=correct-horse-battery-7'),
    record('user', 'You are a skill.', { isMeta: true }),
    ...call(
      'e1',
      'Edit',
      { file_path: file, old_string: 'a', new_string: 'function grindAtNight() {\n}' },
      `The file ${file} has been updated.`,
    ),
    ...call('t1', 'Bash', { command: 'npm test' }, 'Exit code 1\nError: no moon', { is_error: true }),
    ...call('t2', 'Bash', { command: 'npm test' }, '3 passed'),
    ...call('c1', 'Bash', { command: 'git commit -am "Grind at night"' }, '[main 1a2b3c4] Grind at night'),
  ];
  return records.map((one) => `${JSON.stringify(one)}\n`).join('');
}

interface Shown {
  readonly sessionId: string;
  readonly digest: string | null;
}

const sessionsOf = async (home: Home): Promise<readonly Shown[]> => {
  const ran = await home.mem(['sessions', '--json']);
  expect(ran).toMatchObject({ code: 0 });
  const { sessions }: { sessions: readonly Shown[] } = JSON.parse(ran.stdout);
  return sessions;
};

test('a session that was backfilled and drained shows its goal and its changes, by command and over the socket', async () => {
  const home = Home.open({ config: { drain: { backend: 'builtin' } } });
  const folder = path.join(home.folder, 'old');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'one.jsonl'), transcript(home.project));
  expect(await home.memd(['backfill', '--dry-run', '--from', folder])).toMatchObject({ code: 0 });
  expect(home.rows('SELECT * FROM events')).toEqual([]);
  for (const _ of [1, 2]) expect(await home.memd(['backfill', '--from', folder])).toMatchObject({ code: 0 });
  const [prompt, ...more] = home.rows("SELECT role, payload_json FROM events WHERE kind = 'message'");
  expect([prompt?.role, more]).toEqual(['user', []]);
  expect(prompt?.payload_json).toContain('make the mill grind at night, DB_PASSWORD=<redacted:env>');
  expect(await sessionsOf(home)).toMatchObject([{ sessionId: session }]);

  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
  const digest = [
    'Goal: make the mill grind at night, DB_PASSWORD=<redacted:env>',
    'Changed: src/mill.ts (1 edit: grindAtNight)',
    'Committed: “Grind at night”',
    'Failed: `npm test` (fixed)',
    'Ended: committed after the last edit; last check `npm test` passed',
  ];
  expect(await sessionsOf(home)).toEqual([
    {
      sessionId: session,
      client: 'claude-code',
      events: 5,
      messages: 1,
      errors: 1,
      firstTs: '2026-03-01T10:00:00.000Z',
      lastTs: '2026-03-01T10:09:00.000Z',
      title: 'Grind at night',
      workMs: 9 * 60_000,
      digest: digest.join('\n'),
    },
  ]);
  expect(await home.ask({ op: 'sessions' })).toMatchObject({
    ok: true,
    sessions: [{ digest: digest.join('\n') }],
  });
  const shown = await home.mem(['sessions', '-n', '1'], { env: { TZ: 'UTC' } });
  expect(shown.stdout.split('\n')).toEqual([
    `2026-03-01 10:00 – 10:09 (9 min) · claude-code · 4 calls, 1 message · session ${session}`,
    ...digest.map((line) => `    ${line}`),
    '',
  ]);
});

test('a call that is forgotten is in no digest any more', async () => {
  const home = Home.open({ config: { drain: { backend: 'builtin' } } });
  await home.start();
  for (const name of ['mill', 'wheel', 'sack', 'secret-recipe']) {
    const input = { file_path: path.join(home.project, `${name}.ts`), content: 'const a = 1;' };
    const call = { tool: 'Write', input, output: 'created', cwd: home.project };
    await home.capture({ ...call, sessionId: session, toolUseId: name });
  }
  await home.memd(['drain']);
  expect((await sessionsOf(home))[0]?.digest).toContain('secret-recipe.ts');
  const [memory] = home.rows(
    "SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.tool_use_id = 'secret-recipe'",
  );
  expect(await home.ask({ op: 'forget', id: Number(memory?.id) })).toMatchObject({ ok: true });
  expect(await sessionsOf(home)).toMatchObject([{ digest: null }]);
  await home.memd(['drain']);
  expect((await sessionsOf(home))[0]?.digest).toMatch(/^Changed: 3 files: mill\.ts/);
});

test('no sessions: said, and no failure', async () => {
  const home = Home.open();
  await home.start();
  const ran = await home.mem(['sessions']);
  expect(ran).toMatchObject({ code: 0, stdout: '' });
  expect(ran.stderr).toContain('no sessions yet');
});
