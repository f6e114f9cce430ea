import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';

const session = '31b1be44-0000-4000-8000-00000000000b';

/** Of all tests that only read. */
let shared: Home;
beforeAll(async () => {
  shared = await withMemories();
});
afterEach(closeServers);
afterAll(async () => {
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

async function withMemories(): Promise<Home> {
  const home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  await home.start();
  for (const at of [1, 2]) {
    const input = { file_path: `src/berth-${at}.ts` };
    await home.capture({
      tool: 'Read',
      input,
      output: `berth ${at}`,
      toolUseId: `c${at}`,
      sessionId: session,
    });
  }
  expect((await home.memd(['drain'])).code).toBe(0);
  return home;
}

describe('what memd prints is what it takes', () => {
  test('numbers with and without their sign, and sessions as they are named', async () => {
    const home = await withMemories();
    const commands = [
      ['show', '#1'],
      ['show', '1'],
      ['show', '31b1be44'],
      ['show', 'last'],
      ['timeline', '#1'],
      ['why', 'berth', '#2'],
      ['pin', '#2'],
      ['unpin', '2'],
      ['log', '31b1be44'],
      ['log', 'last'],
      ['log', '#1'],
      ['log', '2'],
      ['handoff', '--session', '#1'],
      ['search', 'berth', '--session', '#2'],
      ['handoff', '31b1be44'],
      ['handoff', 'last'],
      ['resume', '31b1be44', '--json'],
      ['recent', '--session', '31b1', '--before', '#2'],
      ['search', 'berth', '--session', 'last'],
      ['forget', '#1'],
    ];
    for (const words of commands) {
      const { code, stderr } = await home.mem(words);
      expect({ words, code, stderr }).toMatchObject({ words, code: words[0] === 'resume' ? code : 0 });
      expect(stderr).not.toMatch(/unknown|too many|must be/);
    }
  });

  test('search --oneline prints one line for each hit, within the screen', async () => {
    const { code, stdout } = await shared.mem(['search', 'berth', '--oneline', '--kind', 'call']);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatch(/^#\d +\d{4}-\d{2}-\d{2} {2}Read: /);
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test.each([
    ['mem_get', { ids: ['#1', '2'], query: null }],
    ['mem_get', { ids: [1] }],
    ['mem_timeline', { id: '#1', window: '3' }],
    ['mem_timeline', { id: '1', window: null }],
    ['mem_search', { query: 'berth', k: '1', kind: null }],
    ['mem_search', { query: 'berth', k: null, session: '31b1be44' }],
    ['mem_search', { query: 'berth', kind: 'call, message', more: null }],
    ['mem_search', { query: 'berth', kind: ['call'], more: '1' }],
    ['mem_why', { id: '#2', query: 'berth' }],
    ['mem_handoff', { session: null }],
    ['mem_handoff', { session: '#1' }],
    ['mem_search', { query: 'berth', session: '#2' }],
    ['mem_search', { query: 'berth', kinds: ['call'] }],
  ])('%s takes %j', async (name, args) => {
    const { client } = connect(shared);
    await client.initialize();
    const { isError, text } = await client.call(name, args);
    expect({ isError, text }).toMatchObject({ isError: false });
  });
});

test('a session is also that of a memory that is shown, and nothing else is', async () => {
  const sessionOf = async (given: string): Promise<string> => {
    const { stdout, stderr } = await shared.mem(['log', given, '--json']);
    return stdout.includes(session) ? session : stderr;
  };
  expect(await sessionOf('#1')).toBe(session);
  expect(await sessionOf('2')).toBe(session);
  expect(await sessionOf('#99')).toMatch(/^mem: session "#99" is too short\. Give at least 4 characters/);
});

test('an id that is none is refused in words', async () => {
  for (const words of [
    ['show', '0'],
    ['show', '#0', '--json'],
  ])
    expect(await shared.mem(words)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'mem: It must be a whole number, at least 1.\n',
    });
});

test.each([
  ['show', '999'],
  ['why', 'berth', '999'],
  ['timeline', '999'],
  ['pin', '999'],
  ['unpin', '999'],
  ['promote', '999'],
  ['forget', '999'],
])('mem %s of an id that is not there says how to find one', async (...words) => {
  expect(await shared.mem(words)).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: 'mem: there is no memory with id 999. Run `mem recent`.\n',
  });
});

test('search --everywhere --oneline prints one line for each hit, with its project', async () => {
  const { stdout } = await shared.mem(['search', 'berth', '--everywhere', '--oneline', '--kind', 'call']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatch(/^#\d +\d{4}-\d{2}-\d{2} {2}Read: .* {2}project$/);
});

describe('a folder without a memory', () => {
  test.each([
    ['search', 'berth'],
    ['recent'],
    ['show', '1'],
    ['sessions'],
    ['prune'],
    ['forget', '1'],
    ['promote', '1'],
    ['remember', 'the tides'],
  ])('mem %s says so, and names the nearest one and the ways on', async (...words) => {
    const other = path.join(shared.folder, 'other');
    fs.mkdirSync(other, { recursive: true });
    const { code, stderr } = await shared.mem(words, { cwd: other });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `mem: there is no memory of ${other}; the nearest memory is that of ${shared.project}. ` +
        'Run `memd setup` to begin one, or `mem search --everywhere` to search all.\n',
    );
    const alone = Home.open();
    expect((await alone.mem(words)).stderr).toContain(`there is no memory of ${alone.project}. Run`);
  });

  test('memd info says the same, and a backfill from nowhere begins none', async () => {
    const alone = Home.open();
    const { code, stdout } = await alone.memd(['info']);
    expect(code).toBe(1);
    expect(stdout).toContain(`daemon: unreachable\n           There is no memory of ${alone.project}. Run`);
    const nowhere = path.join(alone.folder, 'nowhere');
    const { stderr } = await alone.memd(['backfill', '--from', nowhere]);
    expect(stderr).toMatch(/^memd: cannot import transcripts: .+nowhere does not exist\. Name a folder/);
    expect(fs.existsSync(alone.workspace().folder)).toBe(false);
    expect(alone.daemons()).toEqual([]);
  });
});
