import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { encodeRecord } from '#capture/log';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const word = ['quux', 'forgettable', '93'].join('');
const other = ['corge', 'memorable', '94'].join('');

/** All files below a folder that hold `text`, in any letter case. */
function filesWith(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.lstatSync(path.join(folder, name)).isFile())
    .filter((name) =>
      fs.readFileSync(path.join(folder, name), 'latin1').toLowerCase().includes(text.toLowerCase()),
    );
}

const calls: JsonObject[] = [word, other].map((text, at) => ({
  tool: 'Bash',
  input: { command: `echo ${text}` },
  output: `${text} `.repeat(700),
  toolUseId: `call-number-${at}`,
  sessionId: 's',
}));

/** A home with two memories, 1 with `word` and 2 with `other`, and no daemon. */
async function withTwo(): Promise<Home> {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  for (const call of calls) await home.capture(call);
  await home.memd(['stop']);
  const { code, stderr } = await home.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
  return home;
}

/** The events as the log's records. */
function records(home: Home): string[] {
  return home
    .rows('SELECT id, payload_json FROM events ORDER BY seq')
    .map(({ id, payload_json }) => encodeRecord({ id, ...JSON.parse(String(payload_json)) }));
}

/** Lays the memories about in every file that may hold one. */
function layAbout(home: Home): void {
  const { folder, spool, log, database } = home.workspace();
  const place = (name: string, text: string): void =>
    fs.writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  const [first = '', second = ''] = records(home);
  home.operate(
    `VACUUM INTO '${database}.schema-1.backup'; VACUUM INTO '${database}.corrupt-20260101T000000.000Z'`,
  );
  for (const name of ['.schema-1.backup', '.corrupt-20260101T000000.000Z'])
    fs.chmodSync(database + name, 0o600);
  place(path.basename(spool), second + first);
  place(path.basename(log), first + second);
  // A torn head, a torn tail and a middle, and one of the other memory.
  place(
    'wal-damaged.ndjson',
    [first.slice(0, 900), first.slice(-900, -1), first.slice(500, 900), second.slice(0, 900), ''].join('\n'),
  );
  const restore = home
    .rows('SELECT id FROM events ORDER BY seq')
    .map(({ id }, at) =>
      JSON.stringify({ type: 'summary', id: at + 1, eventId: id, text: [word, other][at] ?? '' }),
    );
  place(
    'restore-20260101T000000.000Z.ndjson',
    `{"format":"memd-export","version":1,"kind":"restore"}\n${restore.join('\n')}\n`,
  );
}

describe('mem forget', () => {
  test('leaves no byte in any file: database, log, spool, damaged lines, restore files, backups', async () => {
    const home = await withTwo();
    layAbout(home);
    const held = filesWith(home.home, word).length;
    expect(held).toBeGreaterThan(6);
    const { code, stdout, stderr } = await home.mem(['forget', '1']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'memory #1 is forgotten\n', stderr: '' });
    expect(filesWith(home.home, word)).toEqual([]);
    // The other one stays where it was, but for what a start takes in.
    expect(
      filesWith(home.home, other)
        .map((name) => path.basename(name))
        .sort(),
    ).toEqual([
      'db.sqlite',
      'db.sqlite.corrupt-20260101T000000.000Z',
      'db.sqlite.schema-1.backup',
      'wal-damaged.ndjson',
    ]);
    expect(home.rows('SELECT id FROM summaries')).toEqual([{ id: 2 }]);
    await home.memd(['stop']);
    expect(filesWith(home.home, word)).toEqual([]);
  });

  test('does the same with a running daemon, whose spool and log are in use', async () => {
    const home = await withTwo();
    await home.start();
    const { folder, spool } = home.workspace();
    const [first = '', second = ''] = records(home);
    fs.writeFileSync(spool, second + first, { mode: 0o600 });
    fs.writeFileSync(path.join(folder, 'wal-damaged.ndjson'), first.slice(0, 900), { mode: 0o600 });
    // Sent again: the daemon has it in the log for a moment.
    await home.capture(calls[0] ?? {});
    expect(await home.ask({ op: 'forget', id: 1 })).toEqual({ ok: true });
    expect(filesWith(home.home, word)).toEqual([]);
    expect(filesWith(home.home, other).map((name) => path.basename(name))).toContain('spool.ndjson');
    // What is left in the spool is taken in as ever: blanks are no damage.
    await home.memd(['restart']);
    expect(fs.existsSync(spool)).toBe(false);
    expect(home.daemonLog().filter(({ msg }) => msg.startsWith('WAL replay failed'))).toEqual([]);
    expect(await home.info()).toMatchObject({ counts: { events: 1 } });
  });

  test('stays forgotten: sent again by a hook, the spool, or an export', async () => {
    const home = await withTwo();
    const file = path.join(home.folder, 'all.ndjson');
    await home.mem(['export', file]);
    const [first = ''] = records(home);
    await home.mem(['forget', '1']);
    await home.capture(calls[0] ?? {});
    expect(await home.info()).toMatchObject({ counts: { events: 1 } });
    await end(home.pid());
    fs.writeFileSync(home.workspace().spool, first, { mode: 0o600 });
    await home.start();
    expect(await home.info()).toMatchObject({ counts: { events: 1 } });
    // Its event, its summary, and the digest of its session.
    expect((await home.mem(['import', file])).stdout).toBe(
      'imported nothing new; 2 known already; 3 left out because they were forgotten or pruned here (import them with --forgotten)\n',
    );
    expect(filesWith(home.home, word)).toEqual([]);
    // Unless its user says so.
    await home.mem(['import', file, '--forgotten']);
    expect(home.rows('SELECT id FROM summaries ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('names a damaged copy that it cannot work on, and exits 1', async () => {
    const home = await withTwo();
    const { database } = home.workspace();
    const copy = `${database}.corrupt-20260101T000000.000Z`;
    fs.writeFileSync(copy, `no database any more \0 ${records(home)[0]}`, { mode: 0o600 });
    fs.writeFileSync(`${database}.corrupt-20260102T000000.000Z`, 'nothing of it here', { mode: 0o600 });
    await home.start();
    const { code, stdout, stderr } = await home.mem(['forget', '1']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'memory #1 is forgotten\n' });
    expect(stderr).toBe(
      `mem: ${copy} is damaged and may still hold it. When you no longer need that copy, run \`rm '${copy}'*\`.\n`,
    );
    expect(home.rows('SELECT id FROM summaries')).toEqual([{ id: 2 }]);
  });

  test('a backup keeps everything else', async () => {
    const home = await withTwo();
    layAbout(home);
    await home.mem(['forget', '1']);
    const backup = new DatabaseSync(`${home.workspace().database}.schema-1.backup`, { readOnly: true });
    try {
      expect(backup.prepare('SELECT id FROM summaries').all()).toEqual([{ id: 2 }]);
      expect(backup.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    } finally {
      backup.close();
    }
  });

  test.each([
    ['when it is marked', 'forget.mark@1=kill', true],
    ['when it is out of the other files', 'forget.files@1=kill', true],
    ['before its rows are gone for good', 'forget.rows@1=kill', true],
    ['when its rows are gone', 'forget.wal@1=kill', false],
  ])('killed %s, it can be asked again, or is done', async (_when, fault, isThere) => {
    const home = await withTwo();
    layAbout(home);
    await home.start({ env: { MEMD_FAULTS: fault } });
    expect((await home.mem(['forget', '1'])).code).toBe(1);
    await home.start();
    expect(home.rows('SELECT id FROM summaries ORDER BY id')).toEqual(
      isThere ? [{ id: 1 }, { id: 2 }] : [{ id: 2 }],
    );
    const again = await home.mem(['forget', '1']);
    expect(again.stdout + again.stderr).toBe(
      isThere ? 'memory #1 is forgotten\n' : 'mem: there is no memory with id 1. Run `mem recent`.\n',
    );
    expect(filesWith(home.home, word)).toEqual([]);
  });

  test('a pinned one goes like any other, and a transcript does not bring it back', async () => {
    const home = await withTwo();
    await home.start();
    await home.ask({ op: 'pin', id: 1 });
    expect(await home.mem(['forget', '1'])).toMatchObject({ code: 0, stderr: '' });
    for (let sent = 0; sent < 3; sent += 1) await home.capture(calls[0] ?? {});
    await home.memd(['drain']);
    expect(await home.info()).toMatchObject({ counts: { events: 1, summaries: 1 } });
    await home.memd(['stop']);
    expect(filesWith(home.home, word)).toEqual([]);
  });

  test('says so when there is no such memory', async () => {
    const home = await withTwo();
    expect(await home.mem(['forget', '99'])).toMatchObject({
      code: 1,
      stderr: 'mem: there is no memory with id 99. Run `mem recent`.\n',
    });
    expect(await home.mem(['forget', 'x'])).toMatchObject({ code: 2 });
  });
});
