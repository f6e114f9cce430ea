import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { frontOf } from '#core/workspace';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { type Ran, type RunOptions, run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const script = path.join(dist, 'capture-observation.sh');
const took = { code: 0, stdout: '{"ok":true}\n', stderr: '' };
const silent = { code: 0, stdout: '', stderr: '' };

let calls = 0;
const call = (output = 'made', cwd?: string) => {
  calls += 1;
  return {
    ...{ hook_event_name: 'PostToolUse', session_id: 's', tool_name: 'Bash', tool_use_id: `toolu_${calls}` },
    ...{ tool_input: { command: 'make' }, tool_response: { stdout: output } },
    ...(cwd === undefined ? {} : { cwd }),
  };
};
const said = (prompt: string) => ({
  hook_event_name: 'UserPromptSubmit',
  session_id: 's',
  prompt,
  prompt_id: prompt,
});

function front(home: Home, input: object | string | null, options: Partial<RunOptions> = {}): Promise<Ran> {
  const { cwd = home.project, env = {}, ...rest } = options;
  return run('/bin/sh', [script, process.execPath, '--client', 'claude-code'], {
    ...{
      cwd,
      env: home.env(env),
      input: typeof input === 'object' && input !== null ? JSON.stringify(input) : input,
    },
    ...rest,
  });
}

/** The outputs of all stored events, once there are `count`. */
async function stored(home: Home, count: number): Promise<string[]> {
  const rows = await until(`${count} events`, () => {
    const found = home.rows('SELECT payload_json FROM events ORDER BY seq');
    return found.length >= count ? found : null;
  });
  return rows.map((row) => {
    const { output } = JSON.parse(String(row.payload_json));
    return typeof output === 'string' ? output : String(output.stdout);
  });
}

/** Posts go to the daemon without Node only if its own socket took them: Node is not even there. */
const withoutNode = { args: ['/nowhere/node'] };

function frontAlone(home: Home, input: object, options: Partial<RunOptions> = {}): Promise<Ran> {
  const { cwd = home.project, env = {} } = options;
  const words = [script, ...withoutNode.args, '--client', 'claude-code'];
  return run('/bin/sh', words, { cwd, env: home.env(env), input: JSON.stringify(input) });
}

describe('the capture hook of the shell, without a start of Node', () => {
  test('stores a call and says so, and a prompt without a word', async () => {
    const home = Home.open();
    await home.start();
    expect(await frontAlone(home, call())).toMatchObject(took);
    expect(await frontAlone(home, said('hello'))).toMatchObject(silent);
    expect(await frontAlone(home, { hook_event_name: 'Notification', session_id: 's' })).toMatchObject(
      silent,
    );
    expect(await stored(home, 2)).toEqual(['made', 'hello']);
  });

  test('from a folder below, through a link, in a path with blanks, quotes and a line break, in another namespace', async () => {
    const home = Home.open({ env: { MEMD_NS: 'Team-1.x' } });
    const odd = path.join(home.project, `a b'c"d$e\nf`, 'below');
    fs.mkdirSync(odd, { recursive: true });
    fs.mkdirSync(path.join(home.project, '.git'));
    const link = path.join(home.folder, 'link');
    fs.symlinkSync(home.project, link);
    await home.start();
    for (const cwd of [home.project, odd, link])
      expect(await frontAlone(home, call(), { cwd })).toMatchObject(took);
    const env = { CLAUDE_PROJECT_DIR: odd };
    expect(await frontAlone(home, call(), { cwd: home.folder, env })).toMatchObject(took);
    expect(await stored(home, 4)).toHaveLength(4);
  });

  test('from a linked worktree as soon as one hook found the daemon from there, and after its removal', async () => {
    const home = Home.open();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
        cwd: home.project,
        env: home.env(),
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const tree = path.join(home.folder, 'tree');
    git('worktree', 'add', '-q', tree);
    await home.start();
    const env = { CLAUDE_PROJECT_DIR: tree };
    await front(home, call('one'), { cwd: tree, env });
    await stored(home, 1);
    expect(await frontAlone(home, call('two'), { cwd: tree, env })).toMatchObject(took);
    git('worktree', 'remove', '--force', tree);
    expect(await frontAlone(home, call('three', tree), { env })).toMatchObject(took);
    expect(await home.hook(call('four', tree), { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await stored(home, 4)).toEqual(['one', 'two', 'three', 'four']);
  });

  test('a nested repository is another project: its calls do not come here', async () => {
    const home = Home.open();
    fs.mkdirSync(path.join(home.project, '.git'));
    const nested = path.join(home.project, 'vendor/other');
    fs.mkdirSync(path.join(nested, '.git'), { recursive: true });
    await home.start();
    expect(await front(home, call('theirs'), { cwd: nested })).toMatchObject({ code: 0, stdout: '' });
    const other = home.workspace(nested);
    await until('the spool of the other project', () => fs.existsSync(other.spool));
    expect(home.rows('SELECT id FROM events')).toEqual([]);
  });

  test('takes no proxy, no settings of curl and no other HOME from the environment', async () => {
    const home = Home.open();
    await home.start();
    fs.writeFileSync(
      path.join(home.home, '.curlrc'),
      'url = "http://127.0.0.1:1/"\nfail\noutput = "/dev/full"\n',
    );
    const proxy = 'http://127.0.0.1:1';
    const env = {
      http_proxy: proxy,
      HTTP_PROXY: proxy,
      ALL_PROXY: proxy,
      all_proxy: proxy,
      CDPATH: '/',
      CURL_HOME: home.home,
    };
    expect(await frontAlone(home, call(), { env })).toMatchObject(took);
  });

  test.each([
    ['a line break between tokens', (text: string) => text.replace('{', '{\n\n').replace(/,/g, ',\n')],
    ['5 MB', (text: string) => text.replace('made', `made ${'word '.repeat(1_000_000)}`)],
  ])('takes a payload with %s', async (_, change) => {
    const home = Home.open();
    await home.start();
    expect(await front(home, change(JSON.stringify(call())))).toMatchObject({ code: 0 });
    expect((await stored(home, 1))[0]).toMatch(/^made/);
  });
});

/** `GROUP COMMAND` of each process in that group. */
function groupOf(group: number): string {
  const all = execFileSync('ps', ['-A', '-o', 'pgid=,comm='], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => Number.parseInt(line, 10) === group)
    .join('\n');
}

describe('without an answer of the daemon', () => {
  const goesOn = { code: 0, stdout: '', stderr: expect.stringMatching(/^memd: .+\n$/) };

  test.each([
    ['that never ran', async () => {}],
    [
      'that was killed',
      async (home: Home) => {
        await end(await home.start());
      },
    ],
    [
      'whose socket was replaced by one that says nothing',
      async (home: Home) => {
        await home.start();
        fs.rmSync(path.join(frontOf(home.workspace()), 's'));
        const server = net.createServer(() => {}).listen(path.join(frontOf(home.workspace()), 's'));
        await until('it listens', () => server.listening);
        server.unref();
      },
    ],
  ])('the call is whole in the spool of a daemon %s', async (_, spoil) => {
    const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
    await spoil(home);
    await home.memd(['stop']);
    const output = 'line of output\n'.repeat(50_000);
    expect(await front(home, call(output))).toMatchObject(goesOn);
    const { spool } = home.workspace();
    await until('the spool', () => fs.existsSync(spool));
    await home.start();
    const [kept = ''] = await stored(home, 1);
    expect(kept).toMatch(/^line of output\n[\s\S]*characters cut by memd[\s\S]*line of output\n$/);
  });

  test.each([
    ['the shell hook', 'SIGKILL'],
    ['the Node hook', 'SIGKILL'],
    ['the shell hook', 'SIGHUP'],
    ['the shell hook', 'SIGTERM'],
  ] as const)('%s ends, its group gets %s, and the call is stored once, whole', async (name, signal) => {
    const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
    const pid = await home.start();
    process.kill(pid, 'SIGSTOP');
    const words =
      name === 'the shell hook' ? [script, process.execPath] : [path.join(dist, 'capture-observation.mjs')];
    const program = name === 'the shell hook' ? '/bin/sh' : process.execPath;
    const hook = spawn(program, words, {
      cwd: home.project,
      env: home.env(),
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    hook.stdin.end(
      JSON.stringify({ tool: 'Bash', input: { command: 'make' }, output: `${'long '.repeat(200_000)}end` }),
    );
    await new Promise((resolve) => hook.on('exit', resolve));
    // On a busy machine the hook's time may be over before all is handed over, and nothing withstands this signal.
    if (signal === 'SIGKILL')
      await until('all is handed over', () => !/ (?:cat|curl|sh)$/m.test(groupOf(hook.pid ?? 0)));
    try {
      process.kill(-(hook.pid ?? 0), signal);
    } catch {
      // Nobody of the group is left.
    }
    const { spool } = home.workspace();
    await until('the spool', () => fs.existsSync(spool));
    process.kill(pid, 'SIGCONT');
    await until('an empty spool', () => !fs.existsSync(spool) && !fs.existsSync(`${spool}.taking`));
    await home.memd(['restart']);
    const [kept = '', ...more] = await stored(home, 1);
    expect(more).toEqual([]);
    expect(kept).toMatch(/^long [\s\S]*long end$/);
  });

  test('a client that keeps stdin open is not held up, and its call is stored', async () => {
    const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
    await home.start();
    const hook = spawn('/bin/sh', [script, process.execPath], {
      cwd: home.project,
      env: home.env(),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    hook.stdin.write(JSON.stringify(call('open')));
    expect(await new Promise((resolve) => hook.on('close', resolve))).toBe(0);
    expect(await stored(home, 1)).toEqual(['open']);
    hook.stdin.destroy();
  });

  test.each(['<&-', '>&-', '2>&-', '<&- >&- 2>&-'])(
    'ends with 0 when its client has closed %s',
    async (closed) => {
      const home = Home.open();
      await home.start();
      const words = ['-c', `/bin/sh "$0" "$1" --client claude-code ${closed}`, script, process.execPath];
      const input = JSON.stringify(call('closed'));
      const options = { cwd: home.project, env: home.env(), input };
      expect(await run('/bin/sh', words, options)).toMatchObject({ code: 0 });
      if (!closed.includes('<')) expect(await stored(home, 1)).toEqual(['closed']);
    },
  );

  test('a folder that is not private gets no post, and the log has a line of what is lost', async () => {
    const home = Home.open();
    await home.start();
    fs.chmodSync(home.workspace().folder, 0o755);
    expect(await front(home, call())).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^memd: /),
    });
    await until('the line', () =>
      home.daemonLog().some(({ error }) => error.includes('is open to other users')),
    );
    expect(home.rows('SELECT id FROM events')).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)('a socket of another user is not posted to', async () => {
    const home = Home.open();
    await home.start();
    const socket = path.join(frontOf(home.workspace()), 's');
    await home.memd(['stop']);
    let bytes = 0;
    fs.mkdirSync(frontOf(home.workspace()), { recursive: true, mode: 0o1700 });
    const server = net
      .createServer((client) =>
        client.on('data', (chunk) => {
          bytes += chunk.length;
        }),
      )
      .listen(socket);
    await until('it listens', () => server.listening);
    fs.chownSync(socket, 65_534, 65_534);
    expect(await front(home, call())).toMatchObject({ code: 0, stdout: '' });
    await until('the spool', () => fs.existsSync(home.workspace().spool));
    expect(bytes).toBe(0);
    server.close();
  });
});
