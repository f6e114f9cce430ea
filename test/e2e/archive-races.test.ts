import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const word = ['quux', 'unrepeatable', '95'].join('');
const config = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 };

const failed = (at: number): JsonObject => ({
  tool: 'Bash',
  input: { command: 'npm test' },
  output: `Exit code 1\nFAIL src/mill.test.ts\nError: ${word} ${at}`,
  isError: true,
  toolUseId: `failed-call-${at}`,
  sessionId: 's',
});
const edited = (at: number): JsonObject => ({
  tool: 'Edit',
  input: { file_path: `src/part-${at}.ts`, old_string: 'a', new_string: `b${at}` },
  output: 'done',
  toolUseId: `edit-call-${at}`,
  sessionId: 's',
});

function filesWith(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.lstatSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name), 'latin1').toLowerCase().includes(text));
}

describe('what happens at the same time', () => {
  test('a call that is forgotten while drains are at work is quoted by no summary of theirs', async () => {
    const home = Home.open({ config });
    await home.start();
    await home.capture(failed(0));
    await home.ask({ op: 'drain' });
    for (let at = 0; at < 60; at += 1) {
      await home.capture(edited(at));
      await home.capture({
        ...failed(at),
        output: '12 passed',
        isError: false,
        toolUseId: `passed-call-${at}`,
      });
    }
    const drains = [home.ask({ op: 'drain' }), home.memd(['drain'])] as const;
    const forgotten = await home.mem(['forget', '1']);
    expect(forgotten).toMatchObject({ code: 0, stderr: '' });
    for (const one of drains) await one;
    await home.memd(['drain']);
    expect(await home.info()).toMatchObject({ counts: { raw: 0, skipped: 0, summaries: 120 } });
    expect(home.rows('SELECT id FROM summaries WHERE text LIKE ?', `%${word}%`)).toEqual([]);
    await home.memd(['stop']);
    expect(filesWith(home.home, word)).toEqual([]);
  });

  test('an export during captures is whole, and its import elsewhere gives what was stored when it began', async () => {
    const home = Home.open({ config });
    await home.start();
    for (let at = 0; at < 200; at += 1) await home.capture(edited(at));
    const file = path.join(home.folder, 'all.ndjson');
    let isDone = false;
    const captures = (async () => {
      for (let at = 200; !isDone; at += 1) await home.capture(edited(at));
    })();
    const { code, stderr } = await home.mem(['export', file]);
    isDone = true;
    await captures;
    expect({ code, stderr: stderr.replace(/\d+ lines/, 'N lines') }).toEqual({
      code: 0,
      stderr: `wrote N lines to ${file}\n`,
    });
    const other = Home.open({ config });
    const took = JSON.parse((await other.mem(['import', file, '--json'])).stdout) as JsonObject;
    expect(took).toMatchObject({ bad: 0, loose: 0, known: 0 });
    expect(Number(took['events'])).toBeGreaterThanOrEqual(200);
  });

  test('an import of a restore file a second time changes nothing, also through a link and whatever its mode', async () => {
    const home = Home.open({ config });
    await home.start();
    for (let at = 0; at < 3; at += 1) await home.capture({ ...failed(0), toolUseId: `same-call-${at}` });
    await home.ask({ op: 'drain' });
    const { stdout } = await home.mem(['prune', '--confirm', '--json']);
    const { restoreFile } = JSON.parse(stdout) as { restoreFile: string };
    const link = path.join(home.folder, 'link.ndjson');
    fs.symlinkSync(restoreFile, link);
    fs.chmodSync(restoreFile, 0o644);
    expect(JSON.parse((await home.mem(['import', link, '--json'])).stdout)).toMatchObject({
      events: 2,
      bad: 0,
    });
    const before = home.rows('SELECT * FROM summaries ORDER BY id');
    expect(JSON.parse((await home.mem(['import', restoreFile, '--json'])).stdout)).toMatchObject({
      events: 0,
      summaries: 0,
    });
    expect(home.rows('SELECT * FROM summaries ORDER BY id')).toEqual(before);
    expect(before).toHaveLength(3);
  });
});
