import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeServers);
afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const call = (sessionId: string, at: number, command: string, output = 'ok') => ({
  ...{ tool: 'Bash', input: { command }, output, sessionId },
  ...{ toolUseId: `${sessionId}-${at}`, client: 'claude-code' },
});

test('info says what memory gave to a session and what of it was used there', async () => {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  expect((await home.memd(['info'])).stdout).not.toContain('outline');
  await home.capture(call('past', 0, 'npm run mill', 'ground 12 ears'));
  await home.capture({ ...call('past', 1, ''), tool: 'Read', input: { file_path: 'src/mill.ts' } });
  for (const at of [0, 1]) await home.capture(call('other', at, `npm run bake${at}`));
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
  const ids = (await home.mem(['search', 'mill', '--json'])).stdout;
  const [first] = JSON.parse(ids).hits;
  await home.mem(['pin', String(first.id)]);

  // One that was made and did not reach its session does not count.
  const { ids: made } = await home.ask({ op: 'outline', session: 'away', source: 'startup' });
  expect(made).toContain(first.id);
  const { stdout: printed } = await run(process.execPath, [path.join(dist, 'session-start.cjs')], {
    ...{ cwd: home.project, env: home.env() },
    input: JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'now', source: 'startup' }),
  });
  expect(printed).toContain(`#${first.id} `);
  await until('the receipt', () => home.rows("SELECT 1 FROM given WHERE session_id = 'now'").length === 1);
  const { client } = connect(home);
  await client.initialize();
  await client.call('mem_search', { query: 'mill' });
  await client.call('mem_get', { ids: [first.id] });
  // The hook of the client reports the calls with their session; they are not stored.
  for (const tool of ['mcp__memd__mem_search', 'mcp__memd__mem_get'])
    expect(await home.ask({ op: 'capture', ...call('now', 9, ''), tool })).toMatchObject({ id: null });
  await home.capture(call('now', 0, 'npm run mill'));
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });

  const { receipts } = await home.info();
  expect(receipts).toMatchObject({ outlines: 1, recalls: 0, tools: { mem_search: 1, mem_get: 1 } });
  const { commands, hits } = receipts?.used ?? {};
  expect(commands).toMatchObject({ used: 1 });
  expect(hits).toMatchObject({ used: 1 });
  const { stdout } = await home.memd(['info']);
  expect(stdout).toMatch(/given +1 outline, 0 recalls, 2 tool calls \(mem_search 1, mem_get 1\) since 20/);
  expect(stdout).toMatch(/1 of \d commands? run again/);

  const { stdout: told } = await home.memd(['told']);
  expect(told).toMatch(/^just now|^\d+ s ago/);
  expect(told).toContain('at session start · session now');
  expect(told).toMatch(new RegExp(`#${first.id} .*npm run mill[^]*?then #\\d+: ran`));
  const { told: all } = JSON.parse((await home.memd(['told', '--json'])).stdout);
  expect(all).toMatchObject([{ kind: 'outline', sessionId: 'now' }]);

  // Only ids are kept, and they leave with their session.
  const rows = home.rows('SELECT session_id, kind, ids FROM given ORDER BY seq');
  expect(rows.map(({ session_id: id }) => id)).toEqual(['now', 'now', 'now']);
  const [own] = home.rows(
    "SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id WHERE e.session_id = 'now'",
  );
  expect(await home.mem(['forget', String(own?.id)])).toMatchObject({ code: 0 });
  expect(home.rows('SELECT * FROM given')).toEqual([]);
  expect(await home.memd(['told'])).toMatchObject({ code: 0, stdout: '' });
});
