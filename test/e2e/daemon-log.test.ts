import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

test('a folder at the place of a log is named with its repair by start, hook, logs and doctor', async () => {
  const home = Home.open();
  const { log, daemonLog, rootRecord } = home.workspace();
  const refusal = (file: string) =>
    `${file} is not a file. Nothing was read from it or written to it. Move it away.`;
  const putFolder = (file: string): void => {
    fs.rmSync(file, { force: true, recursive: true });
    fs.mkdirSync(file, { mode: 0o700 });
  };
  const found = async (): Promise<string[]> => {
    const { stdout } = await home.memd(['doctor']);
    const [, ...files] = stdout.split(/^error +modes: A folder stands where a file belongs: /m);
    return files.map((rest) => rest.split('. Move it away, then run `memd restart`.')[0] ?? '');
  };
  await home.start();
  for (const file of [log, daemonLog]) putFolder(file);
  const hook = { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {}, tool_response: 'x' };
  const payload = { ...hook, session_id: 's', tool_use_id: 't', cwd: home.project };
  expect((await home.hook(payload)).stderr).toContain(refusal(log));
  expect(await home.memd(['logs'])).toMatchObject({ code: 1, stderr: `memd: ${refusal(daemonLog)}\n` });
  expect(await found()).toEqual([log, daemonLog]);
  await home.memd(['stop']);
  for (const file of [daemonLog, log, rootRecord]) {
    putFolder(file);
    expect(await home.memd(['start'])).toMatchObject({ code: 1, stderr: `memd: ${refusal(file)}\n` });
    expect(await found()).toContain(file);
    fs.rmdirSync(file);
  }
  await home.start();
  expect(await found()).toEqual([]);
});

test('no token of a path, a session or a file stands in the log', async () => {
  const home = Home.open();
  await home.start();
  const token = (name: string) =>
    ['ghp', `${name}${'Zk3Rt7Yv1Qw9Lm5Xc8Bn2Hd6Js4Fg0PaUeTi'.slice(name.length)}`].join('_');
  const paths = [`/nowhere/${token('a')}/\0x.jsonl`, `/${'b'.repeat(300)}/old-${token('b')}/x.jsonl`];
  for (const transcript of paths) await home.ask({ op: 'rest', session: `run-${token('c')}`, transcript });
  await home.memd(['restart']);
  const log = fs.readFileSync(home.workspace().daemonLog, 'utf8');
  expect(log).toContain('<redacted:github-token>');
  expect(log).not.toContain('Rt7Yv1Qw9Lm5');
});

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test.runIf(canLimit)('a line that did not fit on the disk tears no other one', async () => {
  const home = Home.open();
  const pid = await home.start();
  const { daemonLog } = home.workspace();
  const scope = path.join(home.project, '.memd/scope.json');
  fs.mkdirSync(path.dirname(scope));
  /** Each unknown key of the scope file is logged once. */
  const log = async (key: string): Promise<void> => {
    fs.writeFileSync(scope, JSON.stringify({ [key]: [] }));
    expect((await home.info()).findings.map(({ code }) => code)).toContain('scope');
  };
  const limit = (bytes: string): void =>
    void execFileSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`]);
  await log('first');
  limit(`${fs.statSync(daemonLog).size + 30}`);
  await log('torn');
  await log('missing');
  limit('unlimited');
  await log('last');
  const lines = fs.readFileSync(daemonLog, 'utf8').trimEnd().split('\n');
  const torn = lines.filter((line) => !line.endsWith('}'));
  expect(torn.map(({ length }) => length)).toEqual([30]);
  const whole = lines.filter((line) => !torn.includes(line)).map((line) => String(JSON.parse(line).error));
  expect(whole.slice(-2)).toEqual([expect.stringContaining('first'), expect.stringContaining('last')]);
});
