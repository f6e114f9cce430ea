import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

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
