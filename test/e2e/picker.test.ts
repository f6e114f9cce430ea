import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
let home: Home;
/** The socket of a terminal server of its own. */
const server = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-tmux-')), 's');

function tmux(...args: string[]): string {
  return execFileSync('tmux', ['-S', server, '-f', '/dev/null', ...args], { encoding: 'utf8' });
}

let terminals = 0;

/** A terminal of that size with a shell; `command` is typed into it. */
async function terminal(command: string, env: Record<string, string> = {}) {
  terminals += 1;
  const name = `t${terminals}`;
  const set = Object.entries(home.env({ TERM: 'screen', PAGER: 'cat', PS1: 'PROMPT ', ...env }));
  tmux(
    ...['new-session', '-d', '-s', name, '-x', '60', '-y', '20', '-c', home.project],
    ...['env', '-i', ...set.map(([key, value]) => `${key}=${value}`), 'sh', '-i'],
  );
  const type = (...keys: string[]): void => void tmux('send-keys', '-t', name, ...keys);
  const screen = (): string => tmux('capture-pane', '-p', '-t', name).trimEnd();
  /** As a terminal does it for a program that asked for it. */
  const paste = (text: string): void => {
    tmux('set-buffer', text);
    tmux('paste-buffer', '-p', '-t', name);
  };
  await expect.poll(screen).toContain('PROMPT');
  type(command, 'Enter');
  return { type, paste, screen, raw: () => tmux('capture-pane', '-p', '-e', '-t', name) };
}

/** The process that the shell runs whose pid is in that file of the project. */
function childOf(file: string): number {
  const shell = fs.readFileSync(path.join(home.project, file), 'utf8').trim();
  return Number(execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }));
}

const mem = (...args: string[]) => `${process.execPath} ${path.join(dist, 'mem.cjs')} ${args.join(' ')}`;
const keys = 'Enter show · ^Y copy · ^R resume · ^O page · Esc quit';
const line = 'stty -a | grep -o " icanon\\| echo " | tr -d "\\n"; echo " is set"';

describe.skipIf(!hasTmux)('mem search alone on a terminal', () => {
  beforeAll(async () => {
    home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
    await home.start();
    for (const [at, command] of ['npm run migrate', 'cargo build', 'psql -c "\\d 表格"'].entries()) {
      const sessionId = '7d1a52f0-0000-4000-8000-000000000001';
      await home.capture({
        tool: 'Bash',
        sessionId,
        input: { command },
        output: `done ${at}`,
        client: 'claude-code',
      });
    }
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    tmux('kill-server');
    fs.rmSync(path.dirname(server), { recursive: true, force: true });
    await closeHomes();
    expect(leftBehind()).toEqual([]);
  });

  test('type, move, Enter shows what was chosen; the screen is as before', async () => {
    const { type, screen } = await terminal(mem('search'));
    await expect.poll(screen).toContain('3 recent memories');
    expect(screen().split('\n').at(-1)).toBe(keys);
    expect(
      Math.max(
        ...screen()
          .split('\n')
          .map((row) => row.length),
      ),
    ).toBeLessThanOrEqual(60);
    type('cargo');
    await expect.poll(screen).toMatch(/^> cargo\n[^0][^\n]*hits?\n> #2 /);
    // The chosen one is shown below the list.
    expect(screen()).toMatch(/\n +1 {2}#2 · Bash[^\n]*\n +Ran `cargo build`/);
    type('BSpace', 'BSpace');
    await expect.poll(screen).toMatch(/^> car\n/);
    type('C-u');
    await expect.poll(screen).toMatch(/3 recent memories\n> #3 /);
    type('C-n');
    await expect.poll(screen).toMatch(/3 recent memories\n {2}#3 [^\n]*\n> #2 /);
    type('C-p', 'Enter');
    await expect.poll(screen).toContain('More: mem timeline 3');
    expect(screen()).not.toContain(keys);
    expect(screen()).toMatch(/^PROMPT .*mem\.cjs search/);
    type(line, 'Enter');
    await expect.poll(screen).toMatch(/ icanon +echo +is set/);
  });

  test.each([
    ['Escape', 'Escape'],
    ['Ctrl-C', 'C-c'],
    ['a signal', null],
  ])('%s leaves it, and the terminal works as before', async (_name, key) => {
    const next = await terminal(`echo $$ > shell; ${mem('search')}`);
    await expect.poll(next.screen).toContain('recent memories');
    if (key === null) process.kill(childOf('shell'), 'SIGTERM');
    else next.type(key);
    await expect.poll(next.screen).not.toContain('recent memories');
    next.type(line, 'Enter');
    await expect.poll(next.screen).toMatch(/ icanon +echo +is set/);
  });

  test('it copies the command, and names the command that reopens the session', async () => {
    const copying = await terminal(mem('search'));
    await expect.poll(copying.screen).toContain('recent memories');
    copying.type('psql');
    await expect.poll(copying.screen).toMatch(/hits?\n> #3 /);
    copying.type('C-y');
    await expect.poll(copying.screen).toMatch(/\npsql -c "\\d 表格"\n/);
    const resuming = await terminal(mem('search', '--tool', 'bash'));
    await expect.poll(resuming.screen).toContain('type to search');
    resuming.type('migrate');
    await expect.poll(resuming.screen).toMatch(/hits?\n> #1 /);
    resuming.type('C-r');
    await expect.poll(resuming.screen).toContain('claude --resume 7d1a52f0-0000-4000-8000-000000000001');
  });

  test('Enter that comes before the answer shows what the words find', async () => {
    const { type, screen } = await terminal(mem('search'));
    await expect.poll(screen).toContain('3 recent memories');
    type('cargo', 'Enter');
    await expect.poll(screen).toContain('More: mem timeline 2');
  });

  test('pasted lines are one query, and none of them is a key', async () => {
    const { type, screen, paste } = await terminal(mem('search'));
    await expect.poll(screen).toContain('3 recent memories');
    paste('cargo\nbuild\t\u0012now\n');
    await expect.poll(screen).toMatch(/^> cargo build now\n[^0][^\n]*hits?\n> #2 /);
    type('C-u');
    paste(`${'long '.repeat(30)}psql`);
    await expect.poll(screen).toMatch(/^> [long ]{40,} psql\n[^0][^\n]*hits?\n> #3 /);
    type('C-c');
    await expect.poll(screen).not.toContain(keys);
  });

  test('what other commands print is wrapped at words too, and JSON is not', async () => {
    const memd = mem().replace('mem.cjs', 'memd.cjs');
    const status = await terminal(`${memd}sync status`);
    await expect.poll(status.screen).toMatch(/^Sync is off [^\n]* REMOTE` to\nturn it on\.$/m);
    const json = await terminal(`${memd}backfill --dry-run --json`);
    await expect.poll(json.screen).toMatch(/^\{"scanned":[^\n]{49}\n/m);
  });

  test('a terminal that cannot draw gets an error instead', async () => {
    const { screen } = await terminal(mem('search'), { TERM: 'dumb' });
    await expect.poll(screen).toContain("mem: missing required argument 'QUERY'.");
  });

  test('nothing is coloured where no colour is wanted, and words that nothing has find nothing', async () => {
    const { type, screen, raw } = await terminal(mem('search'), { NO_COLOR: '1' });
    await expect.poll(screen).toContain('recent memories');
    expect(raw()).not.toContain('\u001b[');
    type('zzqqxx');
    await expect.poll(screen).toMatch(/^> zzqqxx\nnothing found/);
    type('Escape');
    await expect.poll(screen).not.toContain(keys);
  });
});

test('mem search without a query where nobody types is a wrong command line', async () => {
  const other = Home.open();
  const { code, stderr } = await other.mem(['search']);
  expect([code, stderr]).toEqual([2, "mem: missing required argument 'QUERY'. Run `mem search --help`.\n"]);
  await closeHomes();
});
