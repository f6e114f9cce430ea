import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const config = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 };

/** A project with a repository, and what its memory and its tree are asked. */
class Project {
  readonly home = Home.open({ config });

  git(...args: string[]): string {
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    return execFileSync('git', [...names, ...args], { cwd: this.home.project, encoding: 'utf8' });
  }

  file(name: string): string {
    return path.join(this.home.project, name);
  }

  write(name: string, lines: readonly string[]): void {
    fs.mkdirSync(path.dirname(this.file(name)), { recursive: true });
    fs.writeFileSync(this.file(name), `${lines.join('\n')}\n`);
  }

  /** Makes an edit and captures it. The file is left as it is if `isMade` is false. */
  async edit(name: string, lines: readonly string[], isMade = true): Promise<void> {
    if (isMade) this.write(name, lines);
    const input = { file_path: this.file(name), content: lines.join('\n') };
    await this.capture({ tool: 'Write', input, output: 'File created' });
  }

  async capture(call: JsonObject): Promise<void> {
    const toolUseId = `call-${++this.#calls}`;
    await this.home.capture({ sessionId: 's', client: 'cursor', toolUseId, cwd: this.home.project, ...call });
  }

  #calls = 0;

  /** What the socket says of memory `id` as soon as it fits. */
  async state(id: number, expected: RegExp): Promise<string> {
    return until(`the state ${expected} of #${id}`, async () => {
      const { summaries } = (await this.home.ask({ op: 'get', ids: [id] })) as unknown as {
        summaries: { state: State }[];
      };
      const { verdict, detail } = summaries[0]?.state ?? { verdict: 'none', detail: '' };
      return expected.test(`${verdict}: ${detail}`) ? `${verdict}: ${detail}` : null;
    });
  }
}

interface State {
  readonly verdict: string;
  readonly detail: string;
}

const lines = (word: string): string[] =>
  Array.from({ length: 10 }, (_, at) => `export const ${word}${at} = ${at};`);

test('an edit is current, changed with both counts, gone, or followed to its new name; the index stays as it is', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q');
  await home.start();
  await project.edit('src/mill.ts', lines('mill'));
  await project.edit('src/wheel.ts', lines('wheel'));
  await project.edit('src/gate.ts', lines('gate'));
  await project.edit('src/pond.ts', lines('pond'));
  project.git('add', '-A');
  project.git('commit', '-qm', 'first');
  await home.memd(['drain']);
  expect(await project.state(1, /^current/)).toBe('current: 10 of 10 added lines are still in src/mill.ts');
  // Formatted again, cut in half, renamed, removed.
  project.write(
    'src/mill.ts',
    lines('mill').map((line) => `\t\t${line.replaceAll(' ', '  ')}`),
  );
  project.write('src/wheel.ts', lines('wheel').slice(5));
  project.git('mv', 'src/gate.ts', 'src/lock.ts');
  project.git('rm', '-q', 'src/pond.ts');
  project.git('commit', '-qam', 'second');
  const index = fs.readFileSync(project.file('.git/index'));
  await project.state(1, /^current: 10 of 10/);
  await project.state(2, /^changed: 5 of 10 added lines are still in src\/wheel\.ts$/);
  await project.state(3, /^current: 10 of 10 added lines .* renamed to src\/lock\.ts in [0-9a-f]{7,}$/);
  await project.state(4, /^gone: src\/pond\.ts was removed in [0-9a-f]{7,}$/);
  // Not committed, and without git.
  fs.rmSync(project.file('src/mill.ts'));
  await project.state(1, /^gone: src\/mill\.ts is not there$/);
  expect(fs.readFileSync(project.file('.git/index')).equals(index)).toBe(true);
  fs.rmSync(project.file('.git'), { recursive: true });
  await project.state(3, /^gone: src\/gate\.ts is not there$/);
});

test('what is gone ranks lower, which why shows, and every surface says the state', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q');
  await home.start();
  await project.edit('src/turbine.ts', lines('turbine'), false);
  await project.edit('src/turbines.ts', lines('turbine'));
  await home.memd(['drain']);
  await project.state(1, /^gone/);
  // On a busy machine an answer may come before its states are checked.
  const searched = async () =>
    (await home.ask({ op: 'search', query: 'turbine.ts', kinds: ['call'] })).hits as JsonObject[];
  const verdicts = async () =>
    (await searched()).map(({ id, state }) => [id, (state as JsonObject | undefined)?.verdict]);
  await expect.poll(verdicts).toEqual([
    [2, 'current'],
    [1, 'gone'],
  ]);
  const explained = async () =>
    (await home.ask({ op: 'why', query: 'turbine.ts', kinds: ['call'], id: 1 })).why as JsonObject;
  await expect
    .poll(explained)
    .toMatchObject({ factors: { gone: 0.7 }, rrf: { rank: 2 }, state: { verdict: 'gone' } });
  const difference = async () =>
    Math.abs(Number(((await explained()).rrf as JsonObject).score) - Number((await searched())[1]?.score));
  await expect.poll(difference).toBeLessThan(1e-9);
  const printed = (args: string[]) => async () => (await home.mem(args)).stdout;
  for (const args of [
    ['search', 'turbine.ts'],
    ['show', '1'],
  ])
    await expect.poll(printed(args)).toContain('gone: src/turbine.ts is not there');
  await home.mem(['pin', '1']);
  await home.mem(['pin', '2']);
  const outline = async () => (await home.ask({ op: 'outline', session: 'new', source: 'startup' })).text;
  await expect.poll(outline).toMatch(/#1 .*gone: src\/turbine\.ts is not there/);
  expect(await outline()).toContain('#2');
});

test('why answers for its own search, also after searches that differ in one limit only', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q');
  await home.start();
  await project.edit('src/turbine.ts', lines('turbine'), false);
  await project.edit('src/turbines.ts', lines('turbine'));
  await home.memd(['drain']);
  await project.state(1, /^gone/);
  const own = { query: 'turbine.ts', kinds: ['call'] };
  const verdictIn = (limit: JsonObject) => async () => {
    const hits = (await home.ask({ op: 'search', ...own, ...limit })).hits as JsonObject[];
    return (hits.find(({ id }) => id === 1)?.state as JsonObject | undefined)?.verdict;
  };
  await expect.poll(verdictIn({})).toBe('gone');
  project.write('src/turbine.ts', lines('turbine'));
  const limits = [
    { until: '2100-01-01' },
    { since: '2020-01-01' },
    { file: 'src/turbine.ts' },
    { client: 'cursor' },
  ];
  for (const limit of limits) await expect.poll(verdictIn(limit)).toBe('current');
  const lowering = async (limit: JsonObject) => {
    const { why } = await home.ask({ op: 'why', ...own, ...limit, id: 1 });
    return (why as { factors?: JsonObject }).factors?.gone;
  };
  expect(await lowering({})).toBe(0.7);
  for (const limit of limits) expect(await lowering(limit)).toBeUndefined();
});

test('a run has changed when the same or a wider check ended differently since', async () => {
  const project = new Project();
  const { home } = project;
  await home.start();
  const run = (command: string, isError: boolean, ts: string): Promise<void> =>
    project.capture({
      tool: 'Bash',
      input: { command },
      output: isError ? 'Exit code 1\n1 failed' : '5 passed',
      isError,
      ts,
    });
  await run('npm test -- src/mill.test.ts', true, '2026-01-01T10:00:00Z');
  await run('npm run lint', true, '2026-01-01T11:00:00Z');
  await run('npm test', false, '2026-01-03T10:00:00Z');
  await home.memd(['drain']);
  await project.state(1, /^changed: npm test passed 2 days later, #3$/);
  await project.state(2, /^current: no later run/);
  await project.state(3, /^current/);
});

test('secret, huge, binary and special files, and links that leave, are unknown and never read', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q');
  await home.start();
  const outside = path.join(home.folder, 'outside.ts');
  fs.writeFileSync(outside, lines('out').join('\n'));
  for (const name of ['.env', 'huge.ts', 'binary.ts', 'fifo.ts', 'link.ts', '../outside.ts', 'plain.ts'])
    await project.edit(name, name === 'plain.ts' ? ['}', ');'] : lines('out'), false);
  project.write('.env', lines('out'));
  project.write('huge.ts', lines('out').concat('x'.repeat(2_000_000)));
  project.write('binary.ts', lines('out').concat('\0'));
  execFileSync('mkfifo', [project.file('fifo.ts')]);
  fs.symlinkSync(outside, project.file('link.ts'));
  await home.memd(['drain']);
  const expected = [
    /secrets/,
    /too large/,
    /binary/,
    /not a regular file/,
    /link leads out/,
    /outside/,
    /no added line/,
  ];
  for (const [at, words] of expected.entries())
    expect(await project.state(at + 1, words)).toMatch(/^unknown: /);
});

test('no setting of a repository starts a program, and no `git` of its own is run', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q');
  const ran = path.join(home.folder, 'ran');
  const evil = project.file('evil.sh');
  fs.writeFileSync(evil, `#!/bin/sh\necho "$0" >> ${ran}\ncat\n`, { mode: 0o755 });
  fs.mkdirSync(project.file('bin'));
  fs.copyFileSync(evil, project.file('bin/git'));
  await home.start({ env: { PATH: `${project.file('bin')}:${process.env.PATH ?? ''}` } });
  await project.edit('src/mill.ts', lines('mill'));
  await project.edit('src/wheel.ts', lines('wheel'));
  project.write('.gitattributes', ['* diff=evil filter=evil', '*.js filter=a=b']);
  project.git('add', '-A');
  project.git('commit', '-qm', 'first');
  for (const [key, value] of [
    ['core.fsmonitor', evil],
    ['core.hooksPath', project.file('bin')],
    ['core.pager', evil],
    ['pager.log', evil],
    ['pager.grep', evil],
    ['diff.external', evil],
    ['diff.evil.textconv', evil],
    ['diff.evil.command', evil],
    ['filter.evil.clean', evil],
    ['filter.evil.smudge', evil],
    ['filter.evil.required', 'true'],
    ['filter.a=b.process', evil],
    ['log.showSignature', 'true'],
    ['gpg.program', evil],
    ['core.sshCommand', evil],
    ['remote.origin.url', `ext::${evil}`],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
  ] as const)
    fs.appendFileSync(
      project.file('.git/config'),
      `[${key
        .split('.')
        .slice(0, -1)
        .join('.')
        .replace(/^diff\.evil$/, 'diff "evil"')
        .replace(/^filter\.(.*)$/, 'filter "$1"')
        .replace(/^remote\.origin$/, 'remote "origin"')}]\n\t${key.split('.').at(-1)} = ${value}\n`,
    );
  await home.memd(['drain']);
  fs.rmSync(project.file('src/mill.ts'));
  project.write('src/other.ts', ['nothing of it']);
  expect(await project.state(1, /^gone/)).toMatch(/is not there/);
  // Changed and of the same size, so that git reads it for what is not committed.
  project.write('src/wheel.ts', lines('wheel').toReversed());
  const handoff = (): Promise<string> =>
    home.ask({ op: 'handoff', session: 's' }).then((reply) => JSON.stringify(reply));
  await until('what is not committed', async () =>
    /not committed [(][^)]*wheel.ts/.test(await handoff()) ? true : null,
  );
  await project.edit('src/more.ts', lines('more'), false);
  project.write('src/more.ts', lines('more').slice(8));
  await home.memd(['drain']);
  // The digest of the session has id 3.
  await project.state(4, /^changed: 2 of 10/);
  expect(fs.existsSync(ran)).toBe(false);
});

test('work in a linked worktree is looked for there, then in the main tree, and is gone only when it is in none', async () => {
  const project = new Project();
  const { home } = project;
  project.git('init', '-q', '-b', 'main');
  project.git('commit', '-q', '--allow-empty', '-m', 'start');
  const tree = `${home.project}-branch`;
  project.git('worktree', 'add', '-q', tree, '-b', 'branch');
  await home.start();
  const file = path.join(tree, 'src/mill.ts');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${lines('mill').join('\n')}\n`);
  const input = { file_path: file, content: lines('mill').join('\n') };
  await project.capture({ tool: 'Write', input, output: 'File created', cwd: tree });
  await home.memd(['drain']);
  const name = path.basename(tree);
  expect(await project.state(1, /^current/)).toBe(
    `current: 10 of 10 added lines are still in src/mill.ts, in worktree ${name}`,
  );
  // Renamed on the branch, by its own history.
  project.git('-C', tree, 'add', '-A');
  project.git('-C', tree, 'commit', '-qm', 'work');
  project.git('-C', tree, 'mv', 'src/mill.ts', 'src/wheel.ts');
  project.git('-C', tree, 'commit', '-qm', 'rename');
  await project.state(1, /^current: .* renamed to src\/wheel\.ts in [0-9a-f]{7,}, in worktree /);
  // Merged: the main tree has it, also after the worktree is removed.
  project.git('merge', '-q', 'branch');
  await project.state(1, /^current: .* renamed to src\/wheel\.ts in [0-9a-f]{7,}$/);
  project.git('worktree', 'remove', '--force', tree);
  await project.state(1, /^current: .* renamed to src\/wheel\.ts in [0-9a-f]{7,}$/);
  project.git('rm', '-q', 'src/wheel.ts');
  project.git('commit', '-qm', 'end');
  await project.state(1, /^gone: /);
});
