import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { shortSession } from '#core/rpc';
import { type HitReply, read } from '../../src/surfaces/cli/replies.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

let home: Home;
const asOf = '2026-02-18T09:00:00Z';
const first = 'aaaa1111-0000-4000-8000-000000000001';
const second = 'aaaa2222-0000-4000-8000-000000000002';

const passed = '> vitest run\n\n Tests  12 passed (12)\n';
const failed = '> vitest run\n\n FAIL src/cache/redis.test.ts\n Tests  1 failed | 11 passed (12)\n';

const calls = [
  ['2026-02-08T23:30:00Z', 'Bash', first, { command: 'redis-cli ping' }, 'PONG from redis'],
  [
    '2026-02-09T10:00:00Z',
    'Edit',
    first,
    { file_path: 'src/cache/redis.ts', old_string: 'a', new_string: 'b' },
    'ok',
  ],
  ['2026-02-10T10:00:00Z', 'Bash', first, { command: 'npm test redis' }, passed],
  ['2026-02-11T10:00:00Z', 'Bash', first, { command: 'npm test redis' }, passed],
  ['2026-02-12T10:00:00Z', 'Bash', first, { command: 'npm test redis' }, failed],
  ['2026-02-13T10:00:00Z', 'Bash', first, { command: 'npm test redis' }, passed],
  ['2026-02-14T23:30:00Z', 'Bash', second, { command: 'npm test redis' }, passed],
  ['2026-02-16T10:00:00Z', 'Read', second, { file_path: 'src/cache/redis.ts.bak' }, 'redis backup'],
  ['2026-02-17T10:00:00Z', 'Bash', second, { command: 'npm test redis' }, passed],
] as const;

beforeAll(async () => {
  home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin', TZ: 'UTC' }, config: { topK: 6 } });
  await home.start();
  for (const [at, [ts, tool, sessionId, input, output]] of calls.entries()) {
    const isError = output === failed;
    await home.capture({
      tool,
      sessionId,
      input,
      output,
      ts,
      isError,
      client: 'codex',
      toolUseId: `call-${at}`,
    });
  }
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

const search = async (query: string, more: JsonObject = {}): Promise<HitReply[]> =>
  read('search', await home.ask({ op: 'search', query, asOf, ...more })).hits.filter(
    ({ kind }) => kind === 'call',
  );
const days = async (query: string, more: JsonObject = {}): Promise<string[]> =>
  (await search(query, more)).map(({ ts }) => ts.slice(5, 10)).sort();
const errorOf = async (request: JsonObject): Promise<unknown> => (await home.ask(request)).error;

describe('dates', () => {
  test('a span in the query is a filter, shown, and lifted by anytime', async () => {
    const reply = await home.ask({ op: 'search', query: 'redis last week', asOf });
    expect(reply.dates).toEqual({
      since: '2026-02-09T00:00:00.000Z',
      until: '2026-02-16T00:00:00.000Z',
      said: 'last week',
      text: 'from 9 to 15 February 2026',
    });
    expect(await days('redis last week')).toEqual(['02-09', '02-12', '02-14']);
    expect(await days('redis last week', { anytime: true })).toContain('02-08');
    expect(await home.ask({ op: 'search', query: 'redis may march 7', asOf })).not.toHaveProperty('dates');
  });

  test('until includes its day; a wrong time names the valid forms', async () => {
    expect(await days('redis', { since: '2026-02-12', until: '2026-02-12' })).toEqual(['02-12']);
    expect(await days('redis', { since: '2d' })).toEqual(['02-16', '02-17']);
    expect(await errorOf({ op: 'search', query: 'redis', since: 'soon' })).toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(
        '2026-02-12, 2026-02-12T15:00, 90m, 6h, 3d, 2w, yesterday, "last week"',
      ),
    });
  });

  test('the command shows the span, and a span that leaves nothing is lifted and named', async () => {
    const found = await home.mem(['search', 'redis', 'on', '12 February 2026']);
    expect(found).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('on 12 February 2026; `--anytime` lifts it'),
    });
    const empty = await home.mem(['search', 'redis in January 2020']);
    expect(empty.code).toBe(0);
    expect(empty.stderr).toMatch(
      /from 1 to 31 January 2020; the nearest day with one is \d+ February 2026\./,
    );
    expect(empty.stderr).toContain('`--anytime`');
    expect(empty.stdout).toContain('redis');
    const anytime = await home.mem(['search', 'redis in January 2020', '--anytime', '--json']);
    expect(read('search', JSON.parse(anytime.stdout)).hits.length).toBeGreaterThan(0);
  });
});

describe('names', () => {
  test('a session is found by its beginning and as last; a tool in any case', async () => {
    expect(await days('redis', { session: 'aaaa2' })).toEqual(['02-16', '02-17']);
    expect(await days('redis', { session: 'last' })).toEqual(['02-16', '02-17']);
    expect(await days('redis', { session: second })).toEqual(['02-16', '02-17']);
    expect(await days('redis', { tool: 'eDIT' })).toEqual(['02-09']);
    const recent = await home.mem(['recent', '--session', 'aaaa1', '--tool', 'edit', '--json']);
    expect(JSON.parse(recent.stdout).summaries).toHaveLength(1);
    // The commands on one session take the same names.
    const log = await home.mem(['log', '--session', 'aaaa2', '--json']);
    expect(JSON.parse(log.stdout).session).toMatchObject({ sessionId: second, events: 3 });
    expect((await home.mem(['resume'])).stdout).toBe(`codex resume ${second}\n`);
    const unknown = await home.mem(['resume', 'aaab2222']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('The nearest are aaaa')]);
  });

  test('of a product that no memory has: the nearest hits, with a sentence that says so', async () => {
    const query = ['search', 'redis', 'on', 'kubernetes'];
    const sentence = 'No memory mentions "kubernetes". Closest matches:';
    for (const more of [[], ['--sessions'], ['--everywhere']]) {
      const { stdout } = await home.mem([...query, ...more]);
      expect(stdout.startsWith(`${sentence}\n`)).toBe(true);
      expect(stdout).toContain('redis');
      expect(JSON.parse((await home.mem([...query, ...more, '--json'])).stdout)).toHaveProperty(
        'fits',
        false,
      );
    }
    expect((await home.mem(['search', 'redis', 'ping'])).stdout).not.toContain('Nothing fits');
    expect((await home.mem(['search', 'redis', 'frobnicate'])).stderr).toBe(
      'No memory mentions "frobnicate".\n',
    );
    // Without a hit there is no nearest one.
    expect((await home.mem(['search', 'kubernetes'])).stdout).toBe('');
  });

  test.each([
    [{ session: 'aaaa' }, [first, second]],
    [{ session: 'aaa' }, ['at least 4 characters', `${shortSession(second)}, `]],
    [{ session: 'aaab2222' }, ['there is no session', shortSession(second), shortSession(first)]],
    [{ tool: 'Edti' }, ['there is no tool', 'Edit']],
    [{ client: 'codecs' }, ['there is no client', 'codex']],
  ])('%j is refused with the near ones', async (filter, words) => {
    for (const op of ['search', 'recent']) {
      if (op === 'recent' && 'client' in filter) continue;
      const error = await errorOf({ op, query: 'redis', ...filter });
      for (const word of words)
        expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining(word) });
    }
    const [[name, value] = ['', '']] = Object.entries(filter);
    const ran = await home.mem(['search', 'redis', `--${name}`, value]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(words[0]);
  });
});

test('file matches at the boundaries of a path, failed only what failed', async () => {
  expect(await days('redis', { file: 'redis.ts' })).toEqual(['02-09']);
  expect(await days('redis', { file: './src/cache/redis.ts' })).toEqual(['02-09']);
  expect(await days('redis', { file: 'edis.ts' })).toEqual([]);
  expect(await days('redis', { file: 'redis.test.ts', failed: true })).toEqual(['02-12']);
  expect(await days('redis', { failed: true, client: 'CODEX' })).toEqual(['02-12']);
});

describe('equal results', () => {
  test('are one hit with a count, the newest; a run that ended differently stays', async () => {
    const runs = (await search('npm test redis', { tool: 'bash' })).filter(({ text }) =>
      text.includes('npm test'),
    );
    expect(runs.map(({ ts, count }) => [ts.slice(5, 10), count])).toEqual(
      expect.arrayContaining([
        ['02-17', 5],
        ['02-12', undefined],
      ]),
    );
    expect(runs).toHaveLength(2);
    const { why } = read(
      'why',
      await home.ask({ op: 'why', query: 'npm test redis', tool: 'bash', asOf, id: runs[0]?.id ?? 0 }),
    );
    expect(why.rrf).toEqual({ score: runs[0]?.score, rank: runs[0]?.rank });
    const [older] = home.rows(
      "SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE tool_use_id = 'call-2'",
    );
    const folded = read(
      'why',
      await home.ask({ op: 'why', query: 'npm test redis', tool: 'bash', asOf, id: Number(older?.id) }),
    );
    expect(folded.why).toMatchObject({
      rrf: { rank: null },
      explanation: expect.stringContaining('equal to #'),
    });
  });

  test('a number above the setting says so in one line, with --json on stderr', async () => {
    const ran = await home.mem(['search', 'redis', '-k', '50', '--json']);
    expect(ran.stderr).toMatch(/^at most 6 results: .*\n$/);
    expect(JSON.parse(ran.stdout).topK).toBe(6);
    expect((await home.mem(['search', 'redis', '-k', '6'])).stderr).toBe('');
  });

  test('dates stand for days after a week', async () => {
    expect((await home.mem(['search', 'redis'])).stdout).not.toMatch(/\d days ago/);
  });
});

test('--sessions gives sessions with their best moments', async () => {
  const ran = await home.mem(['search', 'npm test redis', '--sessions', '--json']);
  const { sessions } = read('searchSessions', JSON.parse(ran.stdout));
  expect(new Set(sessions.map(({ sessionId }) => sessionId))).toEqual(new Set([first, second]));
  for (const { moments, sessionId } of sessions)
    expect(moments.map((moment) => [moment.sessionId, moment.id > 0])).toContainEqual([sessionId, true]);
  expect((await home.mem(['search', 'npm test redis', '--sessions'])).stdout).toContain(second);
});

test('a search everywhere reads every memory, also of stopped projects, and names a damaged one', async () => {
  const project = (name: string): string => {
    const folder = path.join(home.folder, name);
    fs.mkdirSync(path.join(folder, '.git'), { recursive: true });
    return folder;
  };
  const [other, broken] = [project('other'), project('broken')];
  for (const cwd of [other, broken]) {
    await home.start({ cwd });
    await home.hook(
      { tool: 'Bash', input: { command: 'kubectl exec kubernetes redis-cli flushall' }, output: 'OK', cwd },
      { cwd },
    );
    await home.memd(['drain'], { cwd });
    await home.memd(['stop'], { cwd });
  }
  fs.writeFileSync(home.workspace(broken).database, 'not a database at all'.repeat(400));
  const before = fs.readdirSync(home.workspace(other).folder);
  const ran = await home.mem(['search', 'redis', '--everywhere', '--json']);
  expect(ran.code).toBe(0);
  const { hits } = read('search', JSON.parse(ran.stdout));
  expect(new Set(hits.map(({ workspace }) => workspace))).toEqual(new Set([home.project, other]));
  expect(ran.stderr).toContain(broken);
  // One project knows the name: the query fits.
  const named = await home.mem(['search', 'redis on kubernetes', '--everywhere', '--json']);
  expect(JSON.parse(named.stdout)).not.toHaveProperty('fits');
  expect(fs.readdirSync(home.workspace(other).folder)).toEqual(before);
  expect(home.daemons()).toHaveLength(1);
});
