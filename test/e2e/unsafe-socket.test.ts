import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { closeServers, connect } from '../support/mcp-server.ts';
import { type Ran, run } from '../support/run.ts';

afterEach(async () => {
  await closeServers();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

/** Whether this process may give a file to somebody else. */
const mayGive = process.getuid?.() === 0;

interface Spoiled {
  readonly name: string;
  /** What is done while a daemon answers. */
  readonly spoil: (home: Home) => void;
  /** What every client says of it, with the name and the repair. */
  readonly words: (home: Home) => string;
  /** Whether the folder itself is still private, so that the hook may spool. */
  readonly spools: boolean;
  /** Whether `memd doctor --fix` can put it right. */
  readonly isFixable: boolean;
}

const socketOf = (home: Home): string => home.workspace().socket;
const folderOf = (home: Home): string => home.workspace().folder;
const safe = 'Nothing was read from it or written to it';

const spoiled: readonly Spoiled[] = [
  {
    name: 'a socket that others may use',
    spoil: (home) => fs.chmodSync(socketOf(home), 0o666),
    words: (home) =>
      `${socketOf(home)} is open to other users (mode 0666). ${safe}. Run \`chmod 600 '${socketOf(home)}'\`.`,
    spools: true,
    isFixable: true,
  },
  {
    name: 'a link in the place of the socket',
    spoil: (home) => {
      fs.renameSync(socketOf(home), path.join(home.folder, 'elsewhere.sock'));
      fs.symlinkSync(path.join(home.folder, 'elsewhere.sock'), socketOf(home));
    },
    words: (home) => `${socketOf(home)} is a symbolic link. ${safe}. Remove it, then run \`memd restart\`.`,
    spools: true,
    isFixable: false,
  },
  {
    name: 'a folder that others may enter',
    spoil: (home) => fs.chmodSync(folderOf(home), 0o777),
    words: (home) =>
      `${folderOf(home)} is open to other users (mode 0777). ${safe}. Run \`chmod 700 '${folderOf(home)}'\`.`,
    spools: false,
    isFixable: true,
  },
  {
    name: 'a link in the place of the folder',
    spoil: (home) => {
      fs.renameSync(folderOf(home), path.join(home.folder, 'elsewhere'));
      fs.symlinkSync(path.join(home.folder, 'elsewhere'), folderOf(home));
    },
    words: (home) =>
      `${folderOf(home)} is a symbolic link. ${safe}. Replace it with a real folder of your own.`,
    spools: false,
    isFixable: false,
  },
];
const another: Spoiled = {
  name: 'a socket of another user',
  spoil: (home) => fs.chownSync(socketOf(home), 65_534, 65_534),
  words: (home) =>
    `${socketOf(home)} belongs to another user (uid 65534). ${safe}. Run \`chown 0 '${socketOf(home)}'\`, or remove it.`,
  spools: true,
  isFixable: false,
};
const cases = mayGive ? [...spoiled, another] : spoiled;

const call = { tool: 'Read', input: { file_path: 'src/mill.ts' }, output: 'the mill', toolUseId: 'c1' };

function sessionStart(home: Home): Promise<Ran> {
  return run(process.execPath, [path.join(dist, 'session-start.cjs')], {
    cwd: home.project,
    env: home.env(),
    input: JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'startup' }),
  });
}

describe.each(cases)('$name, while a daemon answers', ({ spoil, words, spools, isFixable }) => {
  test('is refused by every client, by name and with the repair', async () => {
    const home = Home.open();
    const pid = await home.start();
    spoil(home);
    const said = words(home);
    for (const args of [['info'], ['info', '--json'], ['start'], ['web', '--print'], ['stop']]) {
      const { code, stderr } = await home.memd(args);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: `memd: ${said}\n` });
    }
    for (const args of [['search', 'mill'], ['recent'], ['show', '1'], ['pin', '1'], ['sessions']]) {
      const { code, stderr } = await home.mem(args);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: `mem: ${said}\n` });
    }

    const hook = await home.hook(call);
    expect(hook).toMatchObject({ code: 0, stdout: '' });
    expect(hook.stderr).toBe(
      spools
        ? `memd: this tool call was queued in the spool. The next start stores it. Cause: ${said}\n`
        : `memd: this tool call was not captured: ${said}\n`,
    );
    expect(fs.existsSync(home.workspace().spool)).toBe(spools);

    const session = await sessionStart(home);
    expect(session).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(session.stdout)).toEqual({ systemMessage: `memd: ${said}` });

    const monitor = await home.memd(['monitor', '--once']);
    expect(monitor.code).toBe(1);
    expect(JSON.parse(monitor.stdout)).toMatchObject({ ok: false, error: said });

    const { client } = connect(home);
    await client.initialize();
    const asked = await client.call('mem_search', { query: 'mill' });
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining(said) });
    expect(home.daemons()).toEqual([pid]);
  });

  test('is named by doctor, and closed by it where nothing else can be meant', async () => {
    const home = Home.open();
    const pid = await home.start();
    spoil(home);
    const place = words(home).replace(/ (?:is|belongs) .*/, '');
    const doctor = await home.memd(['doctor']);
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(place) });
    const fixed = await home.memd(['doctor', '--fix']);
    expect(fixed.stdout).toContain(place);
    expect((await home.memd(['info'])).code).toBe(isFixable ? 0 : 1);
    expect(home.daemons()).toEqual([pid]);
  });
});

test('the repair that is named is one', async () => {
  const home = Home.open();
  await home.start();
  fs.chmodSync(socketOf(home), 0o644);
  expect((await home.memd(['info'])).code).toBe(1);
  fs.chmodSync(socketOf(home), 0o600);
  expect((await home.hook(call)).stdout).toBe('{"ok":true}\n');
});

test('clients that ask while daemons start refuse none of them', async () => {
  const home = Home.open();
  let isOver = false;
  const asking = (async () => {
    const refused: string[] = [];
    while (!isOver) {
      const { stderr } = await home.mem(['recent']);
      if (!/unreachable|^$|no memor(?:y|ies)|stopping/.test(stderr)) refused.push(stderr);
    }
    return refused;
  })();
  for (let at = 0; at < 5; at += 1) await home.memd([at === 0 ? 'start' : 'restart']);
  isOver = true;
  expect(await asking).toEqual([]);
});
