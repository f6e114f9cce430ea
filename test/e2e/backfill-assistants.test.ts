import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { type HookCall, leaveSessions } from '../support/left-sessions.ts';
import { run } from '../support/run.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const assistants = 'claude-code cline codex copilot-cli gemini-cli kilo opencode pi qwen-code'.split(' ');
const files = assistants.length;

/** Two projects whose paths look alike, a repository within the first, and a worktree of it elsewhere. */
function projects(home: Home) {
  const git = (cwd: string, ...args: string[]): void => {
    const env = { PATH: process.env.PATH, HOME: home.home, GIT_CONFIG_NOSYSTEM: '1' };
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
    execFileSync('git', [...identity, ...args], { cwd, env, stdio: 'pipe' });
  };
  const repository = (...parts: string[]): string => {
    const folder = path.join(home.folder, ...parts);
    fs.mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
    return folder;
  };
  const own = repository('src');
  const below = path.join(own, 'packages', 'a');
  fs.mkdirSync(below, { recursive: true });
  const worktree = path.join(home.folder, 'elsewhere');
  git(own, 'worktree', 'add', '-q', worktree);
  return { own, below, worktree, nested: repository('src', 'evil'), other: repository('src-evil') };
}

const backfill = async (home: Home, cwd: string, ...args: string[]) => {
  const ran = await home.memd(['backfill', '--json', ...args], { cwd });
  expect(ran).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
};

const each = (counts: object) => Object.fromEntries(assistants.map((name) => [name, counts]));

/** The real hook, as the assistants run it. */
async function hook(home: Home, { client, payload }: HookCall, cwd: string): Promise<void> {
  const script = path.join(dist, 'capture-observation.cjs');
  const options = { cwd, env: home.env(), input: JSON.stringify(payload) };
  expect(await run(process.execPath, [script, '--client', client], options)).toMatchObject({
    code: 0,
    stdout: '{"ok":true}\n',
  });
}

const eventsIn = async (home: Home, cwd: string): Promise<number> => (await home.info({ cwd })).counts.events;

test('takes in what every assistant has left of this project and of nothing else, once', async () => {
  const home = Home.open();
  const { own, below, worktree, nested, other } = projects(home);
  const all = [own, below, worktree, nested, other];
  for (const [at, cwd] of all.entries()) leaveSessions(home.home, cwd, `p${at}`);
  expect(await backfill(home, own, '--dry-run')).toMatchObject({
    ...{ scanned: 3 * files, captured: 6 * files, duplicates: 0 },
  });
  expect(await backfill(home, own)).toEqual({
    scanned: 3 * files,
    captured: 6 * files,
    duplicates: 0,
    malformed: 0,
    unanswered: 0,
    ignored: 0,
    notes: [],
    unreadable: [],
    clients: each({ scanned: 3, captured: 6, duplicates: 0 }),
  });
  expect(await backfill(home, own)).toMatchObject({
    captured: 0,
    clients: each({ scanned: 3, captured: 0, duplicates: 6 }),
  });
  for (const cwd of [nested, other]) {
    expect(await backfill(home, cwd)).toMatchObject({ scanned: files, captured: 2 * files });
    expect(await eventsIn(home, cwd)).toBe(2 * files);
  }
  expect((await home.memd(['backfill'], { cwd: other })).stdout).toBe(
    'Imported 0 events from 9 transcripts (claude-code 1 file, cline 1 file, codex 1 file, copilot-cli 1 file, gemini-cli 1 file, ' +
      'kilo 1 file, opencode 1 file, pi 1 file, qwen-code 1 file); 18 known already or repeated.\n',
  );
});

test('adds nothing that the hooks have sent already, and the hooks nothing that it has', async () => {
  const home = Home.open();
  const calls = leaveSessions(home.home, home.project, 'one');
  const half = calls.filter((_, at) => at % 2 === 1);
  await home.start();
  for (const call of half) await hook(home, call, home.project);
  expect(await eventsIn(home, home.project)).toBe(half.length);
  const expected = { scanned: files, captured: half.length, duplicates: half.length };
  expect(await backfill(home, home.project, '--dry-run')).toMatchObject(expected);
  expect(await backfill(home, home.project)).toMatchObject({
    ...expected,
    clients: each({ scanned: 1, captured: 1, duplicates: 1 }),
  });
  for (const call of calls) await hook(home, call, home.project);
  expect(await eventsIn(home, home.project)).toBe(calls.length);
  expect(await backfill(home, home.project)).toMatchObject({ captured: 0, duplicates: calls.length });
  const ids = home.rows(
    'SELECT client, tool, count(DISTINCT tool_use_id) AS ids FROM events GROUP BY 1, 2 ORDER BY 1',
  );
  expect(ids).toEqual([
    { client: 'claude-code', tool: 'Bash', ids: 2 },
    { client: 'cline', tool: 'run_commands', ids: 2 },
    { client: 'codex', tool: 'Bash', ids: 2 },
    { client: 'copilot-cli', tool: 'bash', ids: 2 },
    { client: 'gemini-cli', tool: 'run_shell_command', ids: 2 },
    { client: 'kilo', tool: 'bash', ids: 2 },
    { client: 'opencode', tool: 'bash', ids: 2 },
    { client: 'pi', tool: 'bash', ids: 2 },
    { client: 'qwen-code', tool: 'run_shell_command', ids: 2 },
  ]);
});

test('looks where the assistants’ own variables say, and finds nothing where they do not', async () => {
  const home = Home.open();
  const elsewhere = path.join(home.folder, 'config');
  leaveSessions(elsewhere, home.project, 'moved');
  expect(await backfill(home, home.project)).toMatchObject({ scanned: 0, clients: {} });
  const env = {
    CLAUDE_CONFIG_DIR: path.join(elsewhere, '.claude'),
    CODEX_HOME: path.join(elsewhere, '.codex'),
    GEMINI_CLI_HOME: elsewhere,
    QWEN_HOME: path.join(elsewhere, '.qwen'),
    COPILOT_HOME: path.join(elsewhere, '.copilot'),
    XDG_DATA_HOME: path.join(elsewhere, '.local/share'),
    CLINE_DIR: path.join(elsewhere, '.cline'),
    PI_CODING_AGENT_DIR: path.join(elsewhere, '.pi/agent'),
  };
  const ran = await home.memd(['backfill', '--json'], { env });
  expect(JSON.parse(ran.stdout)).toMatchObject({ scanned: files, captured: 2 * files });
});
