import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { leaveSessions } from '../support/left-sessions.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const day = '2026-03-01T10:00:0';

/** Claude Code's transcript of a session in `cwd`, its records a second apart. */
function transcript(home: Home, session: string, records: readonly JsonObject[], cwd = home.project): void {
  const folder = path.join(home.home, '.claude/projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  const lines = records.map((record, at) =>
    JSON.stringify({
      sessionId: session,
      cwd,
      uuid: `${session}-${at}`,
      timestamp: `${day}${at}.000Z`,
      ...record,
    }),
  );
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${session}.jsonl`), `${lines.join('\n')}\n`);
}

const prompt = (content: string): JsonObject => ({ type: 'user', message: { role: 'user', content } });
const use = (id: string, command: string): JsonObject => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
});

async function backfill(
  home: Home,
  ...options: readonly string[]
): Promise<{ code: number; captured: number; notes: readonly string[]; unreadable: unknown[] }> {
  const { code, stdout } = await home.memd(['backfill', ...options, '--json']);
  return { code, ...JSON.parse(stdout) };
}

/** Role, agent and words of the stored messages, oldest first. */
const messages = (home: Home): unknown[][] =>
  home.rows('SELECT payload_json FROM events ORDER BY ts, seq').flatMap(({ payload_json: json }) => {
    const { output, message } = JSON.parse(String(json));
    return message === undefined ? [] : [[message.role, message.agentId, output]];
  });

test('what a teammate and a background agent say is a reply of that agent, and the protocol of a team is dropped', async () => {
  const home = Home.open();
  const report =
    '<task-notification>\n<task-id>a7</task-id>\n<summary>Agent "Look at the sluice" completed</summary>\n' +
    '<result>The sluice needs a new board.</result>\n</task-notification>\nFull transcript available at: /tmp/a7.output';
  transcript(home, 'mill', [
    prompt('Why does the wheel stop?'),
    prompt('<teammate-message teammate_id="miller">The axle is dry.</teammate-message>'),
    prompt(
      '<teammate-message teammate_id="miller">{"type":"idle_notification","from":"miller"}</teammate-message>',
    ),
    prompt(report),
  ]);
  await backfill(home);
  // The end of its work is no event.
  expect(await backfill(home, '--dry-run')).toMatchObject({ captured: 0 });
  expect(messages(home)).toEqual([
    ['user', null, 'Why does the wheel stop?'],
    ['assistant', 'miller', 'The axle is dry.'],
    ['assistant', 'a7', 'The sluice needs a new board.'],
  ]);
});

test('a call without a result is kept as unfinished, and is one event once its result comes', async () => {
  const home = Home.open();
  const begun = [prompt('Grind the rye.'), use('toolu_1', 'make rye')];
  transcript(home, 'mill', begun);
  await backfill(home);
  const calls = (): boolean[] =>
    home
      .rows("SELECT payload_json FROM events WHERE tool = 'Bash'")
      .map(({ payload_json: json }) => JSON.parse(String(json)).unfinished === true);
  expect(calls()).toEqual([true]);
  const content = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'three sacks', is_error: false }];
  transcript(home, 'mill', [...begun, { type: 'user', message: { role: 'user', content } }]);
  await backfill(home);
  expect(calls()).toEqual([false]);
});

test('a very long prompt keeps its beginning and its end, and half of a character does no harm', async () => {
  const home = Home.open();
  const long = `Begin with the wheel. ${'x '.repeat(60_000)} End with the sluice.`;
  transcript(home, 'mill', [prompt(long), prompt('A lone \ud83d half, and \udc00 another.')]);
  await backfill(home);
  const [first, second] = messages(home).map(([, , text]) => String(text));
  expect(first).toMatch(/^Begin with the wheel\./);
  expect(first).toMatch(/End with the sluice\.$/);
  expect(second).toContain('half, and');
  const file = path.join(home.folder, 'all.ndjson');
  expect(await home.mem(['export', file])).toMatchObject({ code: 0 });
  // As any reader of UTF-8 takes it.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
  for (const line of text.split('\n').filter((one) => one !== ''))
    expect(JSON.stringify(JSON.parse(line))).not.toMatch(/\\u[dD][89a-fA-F]/);
  const other = Home.open();
  expect(await other.mem(['import', file])).toMatchObject({ code: 0 });
  expect(messages(other).length).toBe(2);
});

test('prompts of sessions whose transcripts are gone are rescued from the history, once', async () => {
  const home = Home.open();
  transcript(home, 'kept', [prompt('Oil the axle.')]);
  const typed = (display: string, sessionId: string, timestamp: number, project = home.project): string =>
    `${JSON.stringify({ display, pastedContents: {}, timestamp, project, sessionId })}\n`;
  const ms = Date.parse(`${day}0.000Z`);
  fs.writeFileSync(
    path.join(home.home, '.claude/history.jsonl'),
    [
      typed('Oil the axle.', 'kept', ms),
      typed('Sharpen the stones.', 'lost', ms - 86_400_000),
      typed('Of another place.', 'else', ms, '/elsewhere'),
    ].join(''),
  );
  for (let time = 0; time < 2; time += 1)
    expect((await backfill(home)).notes).toEqual([
      expect.stringContaining('1 prompt of 1 session without a transcript'),
    ]);
  expect(messages(home).map(([, , text]) => text)).toEqual(['Sharpen the stones.', 'Oil the axle.']);
});

test('the session of a worktree that was removed is imported or counted in words', async () => {
  const home = Home.open();
  const git = (...args: string[]): void => {
    const env = { PATH: process.env.PATH, HOME: home.home, GIT_CONFIG_NOSYSTEM: '1' };
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      ...{ cwd: home.project, env, stdio: 'pipe' },
    });
  };
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  transcript(home, 'gone', [prompt('Mend the other wheel.')], `${home.folder}/removed-mill`);
  const { notes } = await backfill(home);
  expect([...messages(home).map(([, , text]) => text), ...notes].join('\n')).toMatch(
    /Mend the other wheel|1 (?:session|transcript)/,
  );
});

test('a database of OpenCode that is damaged ends its own import in words, and the daemon lives', async () => {
  const home = Home.open();
  leaveSessions(home.home, home.project, 'one');
  const file = path.join(home.home, '.local/share/opencode/opencode.db');
  const long = new DatabaseSync(file);
  const insert = long.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)');
  long.exec('BEGIN');
  for (let at = 0; at < 3_000; at += 1)
    insert.run(
      `prt_${at}`,
      'msg_one',
      'ses_one',
      at,
      JSON.stringify({ type: 'text', text: `word ${at} `.repeat(60) }),
    );
  long.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  long.close();
  const pid = await home.start();
  expect(await backfill(home)).toMatchObject({ code: 0, unreadable: [] });
  const size = fs.statSync(file).size;
  const handle = fs.openSync(file, 'r+');
  // Whole pages in its middle; the first one says that it is a database.
  fs.writeSync(handle, Buffer.alloc(Math.floor(size / 2), 0xa5), 0, undefined, 4_096 * 4);
  fs.closeSync(handle);
  const { notes, unreadable } = await backfill(home);
  expect([...unreadable, ...notes].join('\n')).toMatch(/opencode/i);
  expect(home.daemons()).toEqual([pid]);
  expect((await home.info()).counts.events).toBeGreaterThan(0);
});

test('a file that is not there is refused, and begins no memory', async () => {
  const home = Home.open();
  const { code, stderr } = await home.mem(['import', 'away.ndjson']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('does not exist. Nothing was imported')]);
  expect(fs.existsSync(path.join(home.home, '.memd/default/workspaces'))).toBe(false);
});
