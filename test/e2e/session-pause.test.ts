import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type JsonObject, objectAt, parseObject, stringAt } from '#core/event';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { type Ran, run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** No tick comes by itself. */
const config = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 };

function hook(home: Home, script: string, payload: JsonObject): Promise<Ran> {
  const input = JSON.stringify({ cwd: home.project, transcript_path: '/nowhere', ...payload });
  return run(process.execPath, [path.join(dist, script)], { cwd: home.project, env: home.env(), input });
}

/** The hook, which must be silent. */
async function pause(home: Home, hook_event_name = 'PreCompact', session_id = 's1'): Promise<void> {
  const ran = await hook(home, 'session-pause.cjs', { hook_event_name, session_id, trigger: 'auto' });
  expect(ran).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
}

async function work(home: Home, files: readonly string[], sessionId = 's1'): Promise<void> {
  for (const file_path of files) {
    await home.capture({
      ...{ tool: 'Edit', input: { file_path, old_string: 'oak', new_string: 'elm' }, output: 'done' },
      ...{ toolUseId: `call-${sessionId}-${file_path}`, sessionId, client: 'claude-code', cwd: home.project },
    });
  }
}

const digestOf = (home: Home, session = 's1'): string | undefined =>
  home.rows('SELECT text FROM digests WHERE session_id = ?', session)[0]?.text?.toString();

const rawLeft = (home: Home): number =>
  Number(home.rows("SELECT count(*) AS n FROM events WHERE status = 'raw'")[0]?.n);

/** What a session that begins gets. */
async function outline(home: Home, source: string, session_id: string): Promise<string> {
  const payload = { hook_event_name: 'SessionStart', source, session_id };
  const { stdout } = await hook(home, 'session-start.cjs', payload);
  const specific = objectAt(parseObject(stdout) ?? {}, 'hookSpecificOutput') ?? {};
  return stringAt(specific, 'additionalContext') ?? '';
}

test('after it the session and the next one get all of it, without waiting for a tick', async () => {
  const home = Home.open({ config });
  await home.start();
  await work(home, ['wheel.txt', 'sluice.txt', 'flour.txt']);
  await pause(home);
  await until('the digest', () => digestOf(home));
  expect(digestOf(home)).toMatch(/^Changed: 3 files/);
  await until('the summaries', () => rawLeft(home) === 0);
  const own = await outline(home, 'compact', 's1');
  expect(own).toMatch(/\nFiles changed:\n#\d+ .*wheel\.txt/);
  expect(await outline(home, 'startup', 's2')).toMatch(/\nLast sessions:\n#\d+ .*Changed: 3 files/);

  await work(home, ['millstone.txt']);
  await pause(home, 'SessionEnd');
  await until('a new digest', () => digestOf(home)?.startsWith('Changed: 4 files'));
  await until('the summaries', () => rawLeft(home) === 0);
});

test('of another session that is under way it writes nothing, and an unknown one does no harm', async () => {
  const home = Home.open({ config });
  await home.start();
  await work(home, ['a', 'b', 'c'], 'other');
  await pause(home, 'SessionEnd', 'nobody');
  await until('the summaries', () => rawLeft(home) === 0);
  expect(home.rows('SELECT session_id FROM digests')).toEqual([]);
});

test('what hooks had to keep while the daemon hung is in it, though the hook has left long ago', async () => {
  const home = Home.open({ config: { ...config, captureObservationBudgetMs: 2_000 } });
  const pid = await home.start();
  await work(home, ['wheel.txt', 'sluice.txt']);
  process.kill(pid, 'SIGSTOP');
  const call = { tool_name: 'Edit', tool_use_id: 'call-3', session_id: 's1', hook_event_name: 'PostToolUse' };
  const edit = { file_path: 'flour.txt', old_string: 'a', new_string: 'b' };
  const { stderr } = await hook(home, 'capture-observation.cjs', {
    ...call,
    tool_input: edit,
    tool_response: {},
  });
  expect(stderr).toMatch(/spool/);
  await pause(home, 'SessionEnd');
  process.kill(pid, 'SIGCONT');
  await until('the digest', () => digestOf(home)?.startsWith('Changed: 3 files'));
});

test('without a backend the digest is written all the same, and what waits stays raw', async () => {
  const home = Home.open({ config: { 'drain.tickMs': 600_000 } });
  await home.start();
  await work(home, ['wheel.txt', 'sluice.txt', 'flour.txt']);
  await pause(home);
  await until('the digest', () => digestOf(home));
  await until('the drain', () => home.daemonLog().some(({ msg }) => msg === 'drain failed'));
  expect(rawLeft(home)).toBe(3);
});

test('many at once are as one', async () => {
  const home = Home.open({ config });
  await home.start();
  await work(home, ['wheel.txt', 'sluice.txt', 'flour.txt']);
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => pause(home, 'SessionEnd', at === 5 ? 's1' : `none-${at}`)),
  );
  await until('the digest', () => digestOf(home));
  await until('the summaries', () => rawLeft(home) === 0);
  expect(home.daemonLog().filter(({ level }) => level > 30)).toEqual([]);
});

test('it starts no daemon, and leaves no trace where none has run', async () => {
  const home = Home.open({ config: null });
  await pause(home);
  expect(fs.readdirSync(home.home)).toEqual([]);
  await home.start();
  expect(await home.memd(['stop'])).toMatchObject({ code: 0 });
  await pause(home, 'SessionEnd');
  expect(home.daemons()).toEqual([]);
});
