import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { withHistory } from '../support/history.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { end, lives } from '../support/processes.ts';
import { run } from '../support/run.ts';
import { ask } from '../support/wire.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const settings = '{\n  "model": "opus",\n  "enabledPlugins": { "memd@memd": false }\n}\n';
const toml = 'model = "m"\n';

/** Everything below a folder: files with their text, folders and links with what they are. */
function treeOf(folder: string): Record<string, string> {
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return {};
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const stat = fs.lstatSync(path.join(folder, name));
      if (stat.isSymbolicLink()) return [name, 'link'];
      return [name, stat.isFile() ? fs.readFileSync(path.join(folder, name), 'latin1') : 'no file'];
    }),
  );
}

const base = (home: Home): string => path.join(home.home, '.memd');

/** What the names of files below `~/.memd` are, in the default namespace's first project `K`. */
function namesIn(home: Home): string[] {
  const { key } = home.workspace();
  return Object.keys(treeOf(base(home))).map((name) => name.replaceAll(key, 'K'));
}

const otherSpace = { MEMD_NS: 'work.two' };

/**
 * A lived-in home: memories and a daemon in `project`, a daemon in `second` and another namespace, one that was killed in `third`; two
 * assistants; a monitor's log.
 */
async function livedIn(): Promise<{ home: Home; running: number; second: number; secondFolder: string }> {
  const home = await withHistory();
  const folder = (name: string): string => {
    const made = path.join(home.folder, name);
    fs.mkdirSync(made);
    return made;
  };
  fs.mkdirSync(path.join(home.home, '.claude'));
  fs.writeFileSync(path.join(home.home, '.claude/settings.json'), settings);
  fs.mkdirSync(path.join(home.home, '.codex'));
  fs.writeFileSync(path.join(home.home, '.codex/config.toml'), toml);
  for (const client of ['claude-code', 'codex']) expect((await home.memd(['install', client])).code).toBe(0);
  const running = await home.start();
  await home.memd(['monitor', '--once']);
  const secondFolder = folder('second');
  const second = await home.start({ cwd: secondFolder, env: otherSpace });
  await end(await home.start({ cwd: folder('third') }));
  return { home, running, second, secondFolder };
}

describe('memd uninstall --all', () => {
  test('with a hung daemon and a dead one: no process, no file but the memory, which it names; then with --delete-data nothing at all', {
    timeout: 120_000,
  }, async () => {
    const { home, second: hung, secondFolder, running } = await livedIn();
    const { socket } = home.workspace(secondFolder, otherSpace);
    await ask(socket, { op: 'capture', tool: 'Read', input: {}, output: 'a', toolUseId: 'one' });
    process.kill(hung, 'SIGSTOP');
    const rows = home.rows('SELECT id, text FROM summaries');
    const ran = await home.memd(['uninstall', '--all']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect([lives(hung), lives(running), home.daemons()]).toEqual([false, false, []]);
    expect(ran.stdout).toContain(`stopped the daemon of ${home.project} (pid ${running})`);
    expect(ran.stdout).toContain(`killed, because it did not answer, the daemon of`);
    expect(ran.stdout).toMatch(/^kept the memories in .+\/\.memd \(3 projects, 6 memories, [\d.]+ KiB\)$/m);
    expect(ran.stdout).toMatch(/^to delete them too, run `memd uninstall --all --delete-data`\.$/m);
    expect(ran.stdout).toContain('claude plugin uninstall memd@memd');
    expect(ran.stdout).toMatch(/: npm rm -g memdaemon\n$/);
    expect(fs.readFileSync(path.join(home.home, '.claude/settings.json'), 'utf8')).toBe(settings);
    expect(fs.readFileSync(path.join(home.home, '.codex/config.toml'), 'utf8')).toBe(toml);
    expect(
      namesIn(home).filter((name) => name.startsWith('default/workspaces/K') && !/-(?:shm|wal)$/.test(name)),
    ).toEqual(['', '/db.sqlite', '/identity.json', '/root'].map((name) => `default/workspaces/K${name}`));
    const others = namesIn(home).filter((name) => !/^[^/]+(?:\/workspaces.*)?$/.test(name));
    expect(others).toEqual(['default/config.json']);
    const traces = /memd\.sock|run\.(?:pid|lock)|http\.port|auth\.token|health|logs|session-start|tmp$/;
    expect(namesIn(home).filter((name) => traces.test(name))).toEqual([]);
    expect(home.rows('SELECT id, text FROM summaries')).toEqual(rows);

    const again = await home.memd(['uninstall', '--all', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      ok: true,
      clients: [],
      daemons: [],
      removed: [],
      left: [],
      problems: [],
      data: { projects: 3, memories: 6, deleted: false, folder: base(home) },
    });
    // What the hung one had acknowledged is there again with the next start.
    await home.start({ cwd: secondFolder, env: otherSpace });
    expect((await home.info({ cwd: secondFolder, env: otherSpace })).counts.events).toBe(1);
    const gone = await home.memd(['uninstall', '--all', '--delete-data']);
    expect(gone.stdout).toMatch(/^deleted the memories in .+ \(3 projects, 6 memories, /m);
    expect(fs.existsSync(base(home))).toBe(false);
    const last = await home.memd(['uninstall', '--all', '--delete-data']);
    expect(last).toMatchObject({ code: 0, stdout: expect.stringMatching(/^nothing to remove\n/) });
  });

  test('--dry-run shows all of it and changes nothing', async () => {
    const { home, second, running } = await livedIn();
    const before = treeOf(home.home);
    const ran = await home.memd(['uninstall', '--all', '--dry-run', '--delete-data']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const { socket, database, token } = home.workspace();
    for (const file of [socket, database, token]) expect(ran.stdout).toContain(`would remove ${file}\n`);
    expect(ran.stdout).toMatch(/^-.*capture-observation/m);
    expect(ran.stdout).toContain(`would stop the daemon of ${home.project} (pid ${running})`);
    expect(ran.stdout).toMatch(/^would delete the memories in /m);
    const plan = JSON.parse((await home.memd(['uninstall', '--all', '--dry-run', '--json'])).stdout);
    expect(plan).toMatchObject({ ok: true, dryRun: true, data: { deleted: false, projects: 3 } });
    expect(plan.clients.map(({ client }: { client: string }) => client)).toEqual(['claude-code', 'codex']);
    expect(plan.removed).not.toContain(database);
    const live = /\.sqlite-(?:shm|wal)$|\.ndjson$|lock-journal$/;
    const still = (tree: Record<string, string>) => Object.entries(tree).filter(([name]) => !live.test(name));
    expect(still(treeOf(home.home))).toEqual(still(before));
    expect([lives(second), lives(running)]).toEqual([true, true]);
  });

  test('what is not of memd stays and is named; no link is followed', async () => {
    const home = await withHistory();
    const elsewhere = path.join(home.folder, 'elsewhere');
    fs.cpSync(home.workspace().folder, elsewhere, { recursive: true });
    const before = treeOf(elsewhere);
    const { folder, base: top, config } = home.workspace();
    const link = path.join(path.dirname(folder), 'linked-0123456789ab');
    fs.symlinkSync(elsewhere, link);
    const linkedFile = path.join(folder, 'spool.ndjson');
    fs.symlinkSync(path.join(elsewhere, 'db.sqlite'), linkedFile);
    const [note, scope, mine] = [
      path.join(top, 'notes.txt'),
      path.join(top, 'scope.json'),
      path.join(folder, 'mine.ndjson'),
    ];
    for (const file of [note, scope, mine]) fs.writeFileSync(file, 'mine');
    const space = path.join(top, 'keep');
    fs.mkdirSync(space);
    fs.writeFileSync(path.join(space, 'auth.token'), 'mine');
    const { code, stdout } = await home.memd(['uninstall', '--all', '--delete-data', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).left).toEqual(
      expect.arrayContaining([
        { file: note, why: 'not a file of memd' },
        { file: space, why: 'not a file of memd' },
        { file: scope, why: 'not a file of memd' },
        { file: mine, why: 'not a file of memd' },
        { file: link, why: 'a link' },
        { file: linkedFile, why: 'a link' },
      ]),
    );
    expect(JSON.parse(stdout).left).toHaveLength(6);
    expect(treeOf(elsewhere)).toEqual(before);
    expect(fs.existsSync(config)).toBe(false);
    expect(fs.readdirSync(folder).sort()).toEqual(['mine.ndjson', 'spool.ndjson']);
    expect(fs.readdirSync(top).sort()).toEqual(['default', 'keep', 'notes.txt', 'scope.json']);
  });

  test('a link in place of ~/.memd is left as it is, with what it leads to', async () => {
    const home = await withHistory();
    const elsewhere = path.join(home.folder, 'elsewhere');
    fs.renameSync(base(home), elsewhere);
    fs.symlinkSync(elsewhere, base(home));
    const before = treeOf(elsewhere);
    const { stdout } = await home.memd(['uninstall', '--all', '--delete-data']);
    expect(stdout).toContain(`left ${base(home)} (a link)`);
    expect(treeOf(elsewhere)).toEqual(before);
  });

  test('what is not provably a daemon is not signalled, keeps its files, and is reported with exit 1', async () => {
    const { home, second, secondFolder } = await livedIn();
    process.kill(second, 'SIGSTOP');
    const other = home.workspace(secondFolder, otherSpace);
    fs.writeFileSync(other.pid, `${process.pid}\n`);
    const { code, stderr, stdout } = await home.memd(['uninstall', '--all', '--delete-data']);
    expect(code).toBe(1);
    expect(stderr).toContain(`pid ${process.pid} is not provably the daemon of ${other.root}`);
    expect(stdout).toMatch(/^did NOT delete the memories in .+ \(1 project, /m);
    expect([lives(second), fs.existsSync(other.database), fs.existsSync(home.workspace().folder)]).toEqual([
      true,
      true,
      false,
    ]);
    await end(second);
    expect((await home.memd(['uninstall', '--all', '--delete-data'])).code).toBe(0);
    expect(fs.existsSync(base(home))).toBe(false);
  });

  test('a file that cannot be parsed is reported, and all the rest is done', async () => {
    const { home } = await livedIn();
    const file = path.join(home.home, '.codex/config.toml');
    fs.appendFileSync(file, 'broken = "\n');
    const broken = fs.readFileSync(file, 'utf8');
    fs.mkdirSync(path.join(home.home, '.cursor'));
    fs.writeFileSync(path.join(home.home, '.cursor/hooks.json'), '{ not ours');
    const { code, stderr } = await home.memd(['uninstall', '--all']);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/config\.toml line \d+/)]);
    expect(fs.readFileSync(file, 'utf8')).toBe(broken);
    expect(fs.readFileSync(path.join(home.home, '.claude/settings.json'), 'utf8')).toBe(settings);
    expect(home.daemons()).toEqual([]);
  });

  test('a backup goes when the settings are what it holds, and stays and is named when they are not', async () => {
    const { home } = await livedIn();
    const [claude, codex] = [path.join(home.home, '.claude'), path.join(home.home, '.codex')];
    const config = path.join(codex, 'config.toml');
    fs.writeFileSync(config, `added = 1\n${fs.readFileSync(config, 'utf8')}`);
    const { stdout } = await home.memd(['uninstall', '--all', '--json']);
    const backupsIn = (folder: string): string[] =>
      fs
        .readdirSync(folder)
        .filter((name) => name.includes('memd-backup'))
        .map((name) => path.join(folder, name));
    expect(backupsIn(claude)).toEqual([]);
    const { removed, kept } = JSON.parse(stdout).backups;
    expect(removed).toEqual([expect.stringContaining(`${claude}/settings.json.memd-backup-`)]);
    expect(kept).toEqual(backupsIn(codex));
    expect(kept.length).toBeGreaterThan(0);
    expect(fs.readFileSync(config, 'utf8')).toBe(`added = 1\n${toml}`);
  });

  test('a command line that says two things is not understood', async () => {
    const home = Home.open();
    for (const args of [[], ['codex', '--all'], ['codex', '--delete-data'], ['--keep-data']])
      expect((await home.memd(['uninstall', ...args])).code).toBe(2);
    const both = await home.memd(['uninstall', '--all', '--keep-data', '--delete-data']);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be used with/) });
  });
});

const python = ['python3', 'python'].find(
  (name) => spawnSync(name, ['-c', 'import pty, sys; assert sys.version_info >= (3, 4)']).status === 0,
);

/** Runs argv[2:] on a terminal of its own, and types argv[1] once it has asked. */
const terminal = `
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen, typed = b'', False
while True:
    try:
        more = os.read(fd, 4096)
    except OSError:
        break
    if not more:
        break
    seen += more
    if not typed and b'[y/N]' in seen:
        os.write(fd, (sys.argv[1] + '\\n').encode())
        typed = True
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if hasattr(os, 'waitstatus_to_exitcode') else 0)
`;

describe.skipIf(python === undefined)('on a terminal', () => {
  const onTerminal = (home: Home, typed: string, ...args: string[]) =>
    run(
      python ?? '',
      ['-c', terminal, typed, process.execPath, path.join(dist, 'memd.cjs'), 'uninstall', '--all', ...args],
      { cwd: home.project, env: home.env({ TERM: 'dumb' }) },
    );

  test('it asks once whether to delete the memories, and only a yes deletes them', async () => {
    const home = await withHistory();
    for (const typed of ['', 'no', 'n']) {
      const { stdout, code } = await onTerminal(home, typed);
      expect(code).toBe(0);
      expect(stdout.match(/\[y\/N\]/g)).toHaveLength(1);
      expect(stdout).toMatch(
        /^Also delete the memories\? 1 project, 6 memories, [\d.]+ KiB\. .*`mem export`.*\[y\/N\] /,
      );
      expect(home.rows('SELECT 1 FROM summaries')).toHaveLength(6);
    }
    expect((await onTerminal(home, 'y')).stdout).toContain('deleted the memories in ');
    expect(fs.existsSync(base(home))).toBe(false);
  });

  test('an interrupt at the question leaves everything as it is', async () => {
    const home = await withHistory();
    const pid = await home.start();
    const { stdout, code } = await onTerminal(home, '\u0003');
    expect(stdout).toMatch(/\[y\/N\] /);
    expect(stdout).not.toMatch(/^(?:stopped|removed|kept)/m);
    expect(code).not.toBe(0);
    expect(lives(pid)).toBe(true);
  });

  test('it does not ask where the options say it, nor where nothing is remembered', async () => {
    const home = await withHistory();
    expect((await onTerminal(home, '', '--keep-data')).stdout).not.toContain('[y/N]');
    expect((await onTerminal(home, '', '--dry-run')).stdout).not.toContain('[y/N]');
    expect((await onTerminal(home, '', '--delete-data')).stdout).not.toContain('[y/N]');
    expect((await onTerminal(home, '')).stdout).not.toContain('[y/N]');
    expect(fs.existsSync(base(home))).toBe(false);
  });
});
