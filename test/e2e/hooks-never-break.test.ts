import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ensureFolders } from '#core/workspace';
import { clientPayloads } from '../support/client-payloads.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { preToolShapes } from '../support/pre-tool-payloads.ts';
import { end, lives } from '../support/processes.ts';
import { type Ran, run } from '../support/run.ts';

/** Every daemon that a hook has started here, by its pid, whatever root and namespace it was started for. */
const begun = new Set<number>();

afterEach(closeHomes);
afterAll(() => expect([...leftBehind(), ...[...begun].filter(lives)]).toEqual([]));

const hooks = [
  'capture-observation.cjs',
  'capture-observation.mjs',
  'boundary.cjs',
  'boundary.mjs',
  'guard.cjs',
  'recall.cjs',
  'session-pause.cjs',
  'session-start.cjs',
].filter((script) => fs.existsSync(path.join(dist, script)));

/** How often each hook is tried at random. It starts a daemon where it can: that takes longer. */
const runsOf = (script: string): number =>
  Number(process.env.MEMD_FUZZ_RUNS ?? (script === 'session-start.cjs' ? 4 : 12));

/** Ends the daemons of every workspace and namespace below the home. */
async function endDaemons(home: Home): Promise<void> {
  for (const entry of fs.readdirSync(home.folder, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(entry) !== 'run.pid') continue;
    const pid = Number(fs.readFileSync(path.join(home.folder, entry), 'utf8'));
    begun.add(pid);
    await end(pid);
  }
}

/** Exit 0 and no output but JSON; exit 2 is the denial of a client that wants it so. */
function check({ code, signal, stdout, stderr }: Ran, mayDenyByStatus = false): void {
  expect({ signal, stderr }).toMatchObject({ signal: null });
  expect(mayDenyByStatus ? [0, 2] : [0], stderr).toContain(code);
  expect(stderr).not.toMatch(/\n {4}at |node:internal/);
  if (stdout !== '') JSON.parse(stdout);
}

function openProject(scope: string | null): Home {
  const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
  fs.mkdirSync(path.join(home.project, '.memd'));
  if (scope !== null) fs.writeFileSync(path.join(home.project, '.memd/scope.json'), scope);
  return home;
}

const rules = '{"allow": ["src/**"], "deny": ["**/.env"]}';
const call = JSON.stringify({
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: 'src/a' },
});

describe.each(hooks)('%s', (script) => {
  const hook = (
    home: Home,
    input: string | Buffer | null,
    env: Record<string, string> = {},
    cwd = home.project,
  ) => run(process.execPath, [path.join(dist, script)], { cwd, env: home.env(env), input });

  test('any payload, any rules, any environment', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json({ maxDepth: 6 }),
      fc.constantFrom('', '{', '[]', 'null', '{"tool":1}'),
    );
    const shaped = fc
      .tuple(fc.constantFrom(...preToolShapes), fc.string(), fc.boolean())
      .map(([shape, word, isCut]) => {
        const whole = JSON.stringify((shape.write ?? shape.command)(word, '/'));
        return isCut ? whole.slice(0, -7) : whole;
      });
    const recorded = fc.constantFrom(...clientPayloads).map(({ payload }) => JSON.stringify(payload));
    const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
    const odd = ['', '/nowhere', '../..', 'a b', '/dev/null', '/proc/self/cwd', '\u00e9', '~'];
    // Not `/`, nor none at all: who tests as root would find a memory there.
    const home = fc.record({ HOME: fc.constantFrom(...odd) });
    const name = fc.constantFrom('MEMD_NS', 'CLAUDE_PROJECT_DIR', 'NODE_NO_WARNINGS', 'TMPDIR', 'PATH');
    const others = fc.dictionary(name, fc.constantFrom(...odd, '/'), { maxKeys: 2 });
    const environment = fc.oneof(
      others,
      fc.tuple(home, others).map(([one, more]) => ({ ...one, ...more })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(text, shaped, recorded, bytes),
        fc.oneof(fc.constantFrom(rules, '{', '', null, '{"deny":["["],"allow":["**/{a"]}'), fc.json()),
        environment,
        async (input, scope, env) => {
          const home = openProject(scope);
          check(await hook(home, input, env), true);
          await endDaemons(home);
          await home.close();
        },
      ),
      { numRuns: runsOf(script) },
    );
  });

  test('input that is closed, never ends, or is huge', async () => {
    const home = openProject(rules);
    check(await hook(home, null));
    check(await hook(home, Buffer.alloc(17 * 1024 * 1024, 'a')));
    check(await hook(home, `${call.slice(0, -1)},"more":"${'x'.repeat(4_000_000)}"}`));
    check(await hook(home, '['.repeat(1_000_000)));
    const closed = (redirection: string): Promise<Ran> => {
      const line = `exec "$0" "$1" ${redirection}`;
      const args = ['-c', line, process.execPath, path.join(dist, script)];
      return run('/bin/sh', args, { cwd: home.project, env: home.env(), input: call });
    };
    for (const redirection of ['<&-', '< /dev/null', '< .', '2>&-', '>&- 2>&-', '> /dev/full 2>&1'])
      check(await closed(redirection));
  });

  test('disks in any state', async () => {
    const home = openProject(rules);
    const folder = path.join(home.project, '.memd');
    const file = path.join(folder, 'scope.json');
    fs.rmSync(file);
    for (const make of [
      () => fs.mkdirSync(file),
      () => execFileSync('mkfifo', [file]),
      () => fs.symlinkSync(file, file),
      () => fs.symlinkSync('/dev/zero', file),
      () => fs.writeFileSync(file, Buffer.alloc(2 * 1024 * 1024)),
      () => fs.writeFileSync(file, rules, { mode: 0o000 }),
    ]) {
      make();
      check(await hook(home, call));
      fs.rmSync(file, { recursive: true, force: true });
    }
    fs.rmSync(folder, { recursive: true });
    fs.writeFileSync(folder, '');
    check(await hook(home, call));
    fs.rmSync(folder);
    fs.writeFileSync(path.join(home.project, '.git'), 'gitdir: /nowhere\n');
    check(await hook(home, call));
    fs.rmSync(path.join(home.home, '.memd'), { recursive: true });
    fs.writeFileSync(path.join(home.home, '.memd'), '');
    check(await hook(home, call));
    const args = [
      '-c',
      'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1"',
      process.execPath,
      path.join(dist, script),
    ];
    check(await run('/bin/sh', args, { cwd: home.project, env: home.env(), input: call }));
  });

  test('what listens on the socket never answers, or answers nonsense', async () => {
    const home = openProject(null);
    const { socket, rootRecord } = home.workspace();
    ensureFolders(home.workspace());
    fs.writeFileSync(rootRecord, home.project);
    const replies = [null, 'nonsense\n', '{"ok":false}\n', '[]\n', '\u0000'.repeat(100_000)];
    // It looks for three seconds each time, and then has `memd` look: its own tests cover silence.
    const isSlow = script === 'session-start.cjs' && process.env.MEMD_FUZZ_RUNS === undefined;
    for (const reply of isSlow ? replies.slice(1, 2) : replies) {
      const connections = new Set<net.Socket>();
      const server = net.createServer((connection) => {
        connections.add(connection);
        connection.on('error', () => {});
        if (reply !== null) connection.write(reply);
      });
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      fs.chmodSync(socket, 0o600);
      check(await hook(home, call));
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
        fs.rmSync(socket, { force: true });
      });
    }
  });
});

test.runIf(fs.existsSync('/dev/full'))(
  'a denial that standard output does not take goes by the exit status',
  async () => {
    const home = openProject(rules);
    const payload = call.replace('src/a', 'a');
    const line = 'exec "$0" "$1" > /dev/full';
    const args = ['-c', line, process.execPath, path.join(dist, 'boundary.cjs')];
    const { code, stderr } = await run('/bin/sh', args, {
      cwd: home.project,
      env: home.env(),
      input: payload,
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('may not be written') });
  },
);

test.runIf(fs.existsSync('/dev/full'))(
  'an acknowledgement that standard output does not take fails no call',
  async () => {
    const home = Home.open();
    await home.start();
    const input = JSON.stringify({ tool: 'Read', input: {}, output: 'elm' });
    const args = [
      '-c',
      'exec "$0" "$1" > /dev/full',
      process.execPath,
      path.join(dist, 'capture-observation.cjs'),
    ];
    const { code, stderr } = await run('/bin/sh', args, { cwd: home.project, env: home.env(), input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await home.info()).counts.events).toBe(1);
  },
);
