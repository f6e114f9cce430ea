import { afterAll, afterEach, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '#core/event';
import { Devices } from '../support/devices.ts';
import { closeHomes, type Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { until } from '../support/until.ts';

afterEach(closeServers);
afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const bob = 'bob@example.com';

/** A session with a request, a failure that was fixed, and an outcome. */
async function session(home: Home, id: string, word: string): Promise<void> {
  const said = (role: 'user' | 'assistant', text: string, at: number): JsonObject => ({
    ...{ tool: role === 'user' ? 'Prompt' : 'Reply', output: text, sessionId: id, toolUseId: `${id}-${at}` },
  });
  await home.capture({
    ...{
      tool: 'Bash',
      input: { command: `make ${word}` },
      isError: true,
      sessionId: id,
      toolUseId: `${id}-f`,
    },
    output: `src/${word}.ts:3: error: ${word} is not defined`,
  });
  const input = { file_path: `src/${word}.ts`, old_string: 'oak', new_string: word };
  await home.capture({ tool: 'Edit', input, output: 'edited', sessionId: id, toolUseId: `${id}-e` });
  await home.capture({ ...said('assistant', `The ${word} is built.`, 2), input: {} });
  await home.ask({ op: 'drain' });
}

/** Whether each object with `word` names the author, in it or around it. */
function isNamed(value: Json, word: string, known = false): boolean {
  if (typeof value === 'string') return known || !value.includes(word);
  if (Array.isArray(value)) return value.every((one: Json) => isNamed(one, word, known));
  if (!isObject(value)) return true;
  const inner = Object.values(value);
  const isKnown =
    known || inner.some((one) => one === bob || (isObject(one) && Object.values(one).includes(bob)));
  return inner.every((one) => one === undefined || isNamed(one, word, isKnown));
}

test('what another author recorded is named as theirs wherever it is read, and is never the last session', async () => {
  const devices = new Devices({ 'sync.encrypt': false });
  const [one, two] = [devices.first, devices.add(bob)];
  for (const home of devices.all) {
    await home.start();
    await devices.sync(home, 'init', devices.remote);
  }
  await session(one, 'session-of-me', 'kakapo');
  await session(two, 'session-of-bob', 'tuatara');
  await session(two, 'last', 'takahe');
  await devices.sync(two);
  await devices.sync(one);
  await one.ask({ op: 'drain' });
  const digest = one.rows("SELECT id FROM digests WHERE session_id = 'session-of-bob'")[0]?.id;
  const call = one.rows("SELECT id FROM summaries WHERE text LIKE '%tuatara%' LIMIT 1")[0]?.id;
  const commands = [
    ['handoff', '--session', 'session-of-bob'],
    ['log', '--session', 'session-of-bob', '--oneline'],
    ['log', '--session', 'session-of-bob', '--html'],
    ['sessions'],
    ['search', 'tuatara', '--sessions'],
    ['show', String(digest)],
    ['export', '--markdown'],
  ];
  for (const args of commands) {
    const { stdout } = await one.mem(args);
    expect([args, /tuatara/.test(stdout), stdout.includes(bob)]).toEqual([args, true, true]);
  }
  for (const request of [
    { op: 'sessions', limit: 5 },
    { op: 'recent', limit: 9 },
    { op: 'get', ids: [Number(call), Number(digest)] },
    { op: 'timeline', id: Number(call) },
    { op: 'search', query: 'tuatara', sessions: true },
  ])
    expect([request, isNamed(await one.ask(request), 'tuatara')]).toEqual([request, true]);
  const { client } = connect(one);
  await client.initialize('2025-06-18');
  for (const [name, args] of [
    ['mem_handoff', { session: 'session-of-bob' }],
    ['mem_get', { ids: [Number(digest)] }],
  ] as const)
    expect(JSON.stringify(await client.request('tools/call', { name, arguments: args }))).toContain(bob);
  // A failure like theirs comes with their name.
  const failed = {
    ...{ tool: 'Bash', input: { command: 'make tuatara' }, isError: true, sessionId: 'new' },
    output: 'src/tuatara.ts:3: error: tuatara is not defined',
  };
  expect(isNamed(await one.ask({ op: 'recall', ...failed }), 'tuatara')).toBe(true);
  for (const args of [['handoff'], ['resume'], ['recent', '--session', 'last']]) {
    const { stdout, stderr } = await one.mem(args);
    expect([args, /tuatara|takahe|of-bob/.test(stdout + stderr)]).toEqual([args, false]);
  }
  expect((await one.mem(['handoff'])).stdout).toContain('kakapo');
});

test('what another author runs, pins and calls without a session changes nothing of the user, and is named', async () => {
  const devices = new Devices({ 'sync.encrypt': false });
  const [one, two] = [devices.first, devices.add(bob)];
  for (const home of devices.all) {
    await home.start();
    await devices.sync(home, 'init', devices.remote);
  }
  const run = async (home: Home, sessionId: string, output: string, isError: boolean): Promise<void> => {
    const call = { tool: 'Bash', input: { command: 'make kakapo' }, output, isError, sessionId };
    await home.capture({ ...call, toolUseId: `${sessionId}-${output.length}` });
    await home.ask({ op: 'drain' });
  };
  await run(one, 'session-of-me', 'kakapo is built', false);
  await devices.sync(one);
  await devices.sync(two);
  const idIn = (home: Home): number =>
    Number(home.rows('SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id ORDER BY e.ts')[0]?.id);
  await two.ask({ op: 'pin', id: idIn(two) });
  await run(two, 'session-of-bob', 'make: *** [kakapo] Error 1', true);
  await run(two, '', 'make: *** [kakapo] Error 2, without a session', true);
  await devices.sync(two);
  await devices.sync(one);
  await one.ask({ op: 'drain' });
  const id = String(idIn(one));
  const { client } = connect(one);
  await client.initialize('2025-06-18');
  const asked = (name: string, args: JsonObject) => client.request('tools/call', { name, arguments: args });
  const told = [
    (await one.mem(['show', id])).stdout,
    (await one.mem(['search', 'kakapo is built'])).stdout,
    JSON.stringify(await asked('mem_get', { ids: [Number(id)] })),
    JSON.stringify(await asked('mem_search', { query: 'kakapo' })),
  ];
  for (const text of told) expect(text).toContain(`pinned by ${bob}`);
  // On a busy machine a state may come late.
  const stands = (verdict: string): Promise<JsonObject> =>
    until(`the state ${verdict}`, async () => {
      const reply = (await one.ask({ op: 'get', ids: [Number(id)] })) as { summaries: JsonObject[] };
      const [get] = reply.summaries;
      return get !== undefined && JSON.stringify(get).includes(`"verdict":"${verdict}"`) ? get : null;
    });
  const get = await stands('current');
  expect(get).toMatchObject({ pinned: false, pinnedBy: bob, edges: [] });
  expect(JSON.stringify(get)).toMatch(/no later run of make kakapo is known; bob@example\.com: it failed/);
  const found = JSON.parse((await one.mem(['search', 'kakapo', '--json'])).stdout) as { hits: JsonObject[] };
  expect(found.hits.every(({ supersededBy }) => supersededBy === undefined)).toBe(true);
  expect((await one.mem(['sessions'])).stdout).not.toContain('calls without a session');
  // The user's own run changes it.
  await run(one, 'another-of-me', 'make: *** [kakapo] Error 1', true);
  await stands('changed');
  expect((await one.mem(['pin', id])).stdout).toBe(`memory #${id} is pinned\n`);
  const sql = 'SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.is_foreign <> 0';
  const theirs = one.rows(sql)[0]?.id;
  const forgotten = await one.mem(['forget', String(theirs)]);
  expect(forgotten.stdout).toBe(`memory #${String(theirs)} from ${bob} is forgotten\n`);
});
