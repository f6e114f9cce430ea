import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { daysAgo, withHistory } from '../support/history.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

describe('mem export and mem import', () => {
  const bodyOf = (text: string): string[] => text.trimEnd().split('\n').slice(1);

  test('what was exported is the same after an import into an empty workspace, with or without a running daemon', async () => {
    const home = await withHistory();
    home.operate(`
      INSERT INTO prompts VALUES ('pr_1', 's', '${daysAgo(3)}', 'read the parts');
      INSERT INTO events (id, ts, tool, payload_json, status, attempts, last_error)
        VALUES ('torn', '${daysAgo(2)}', 'Read', '{"tool":"Read","in', 'skipped', 3, 'malformed payload')`);
    const first = await home.mem(['export']);
    expect(first.code).toBe(0);
    const [head = ''] = first.stdout.split('\n');
    expect(JSON.parse(head)).toEqual({
      format: 'memd-export',
      version: 1,
      kind: 'export',
      ts: expect.any(String),
    });
    const file = path.join(home.folder, 'all.ndjson');
    expect((await home.mem(['export', file])).code).toBe(0);
    expect(bodyOf(fs.readFileSync(file, 'utf8'))).toEqual(bodyOf(first.stdout));
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    for (const withDaemon of [false, true]) {
      const other = Home.open({ config: { 'drain.tickMs': 600_000 } });
      if (withDaemon) await other.start();
      const { code, stdout, stderr } = await other.mem(['import', file, '--json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        events: 7,
        summaries: 6,
        edges: 2,
        prompts: 1,
        digests: 1,
        redacted: 0,
        bad: 0,
      });
      expect(other.daemons()).toHaveLength(1);
      expect(bodyOf((await other.mem(['export'])).stdout)).toEqual(bodyOf(first.stdout));
    }
  });

  test('bad lines are skipped with their numbers, secrets are redacted, and nothing is overwritten', async () => {
    const home = await withHistory();
    const file = path.join(home.folder, 'all.ndjson');
    await home.mem(['export', file]);
    const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');
    const [head = '', ...lines] = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    const changed = lines.map((line) => line.replace('text 1', `key ${secret}`));
    const text = [head, 'no json', ...changed, '{"type":"unheard"}', '{"type":"prompt","id":7}'].join('\n');
    fs.writeFileSync(file, text);
    const again = await home.mem(['import', file]);
    expect(again.stdout).toMatch(/^imported nothing new; 15 known already; 2 redacted$/m);
    expect(home.rows("SELECT 1 FROM events WHERE payload_json LIKE '%text 1%'")).toHaveLength(1);

    const other = Home.open({ config: { 'drain.tickMs': 600_000 } });
    const { code, stdout, stderr } = await other.mem(['import', file]);
    expect(code).toBe(0);
    expect(stdout).toBe('imported 6 events, 6 summaries, 2 edges, 1 digest; 2 redacted\n');
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^mem: skipped line 2: /),
      expect.stringMatching(/^mem: skipped line 18: type: not /),
      expect.stringMatching(/^mem: skipped line 19: id: not string/),
      '',
    ]);
    const stored = other
      .rows('SELECT payload_json FROM events')
      .map(({ payload_json }) => String(payload_json));
    expect(stored.join('')).toContain('<redacted:aws-access-key>');
    expect(stored.join('')).not.toContain(secret);
  });

  test('the vectors of imported memories are made without waiting for the next tick, and nothing else is', async () => {
    const home = await withHistory();
    const file = path.join(home.folder, 'all.ndjson');
    await home.mem(['export', file]);
    const other = Home.open({ config: { 'drain.tickMs': 600_000 } });
    expect((await other.mem(['import', file])).code).toBe(0);
    const counts = async () => (await other.info()).counts;
    await until('the vectors', async () => (await counts()).embeddings === (await counts()).summaries);
    expect(await counts()).toMatchObject({ summaries: 6, embeddings: 6 });
    const again = await other.mem(['export']);
    expect(bodyOf(again.stdout)).toEqual(bodyOf(fs.readFileSync(file, 'utf8')));
  });

  test('an event that comes without its summary is summarised', async () => {
    const home = await withHistory();
    const file = path.join(home.folder, 'all.ndjson');
    await home.mem(['export', file]);
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    fs.writeFileSync(file, lines.filter((line) => !line.startsWith('{"type":"summary","id":2,')).join('\n'));
    const other = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
    await other.mem(['import', file]);
    expect(await other.info()).toMatchObject({ counts: { events: 6, raw: 1, summaries: 5 } });
    await other.memd(['drain']);
    expect(await other.info()).toMatchObject({ counts: { raw: 0, summaries: 6, embeddings: 6 } });
  });

  test('refuses a newer format, what is no export, and what is not there, in words', async () => {
    const home = await withHistory();
    const file = path.join(home.folder, 'some.ndjson');
    fs.writeFileSync(file, '{"format":"memd-export","version":3}\n');
    for (const withDaemon of [false, true]) {
      if (withDaemon) await home.start();
      fs.writeFileSync(file, '{"format":"memd-export","version":3}\n');
      expect(await home.mem(['import', file])).toMatchObject({
        code: 1,
        stderr: `mem: ${file} was written by a newer memd (format version 3, and this memd knows versions up to 2). Nothing was imported. Install that memd, or a newer one.\n`,
      });
      for (const text of ['', 'hello\n', '{}\n', '\0\0']) {
        fs.writeFileSync(file, text);
        expect((await home.mem(['import', file])).stderr).toMatch(/^mem: .+ is not an export of memd: .+\n$/);
      }
      expect((await home.mem(['import', 'nowhere.ndjson'])).stderr).toMatch(
        /^mem: .+nowhere\.ndjson does not exist\. Nothing was imported\.\n$/,
      );
      expect((await home.mem(['import', home.folder])).stderr).toMatch(/ is not a file\. /);
    }
    expect((await Home.open().mem(['export'])).stderr).toMatch(
      /^mem: there is no memory of .+\. Run `memd setup`\.\n$/,
    );
  });

  test.runIf(process.getuid?.() === 0)(
    'a link of another user and a pipe are refused, a link of this user leads on',
    async () => {
      const home = await withHistory();
      const shared = path.join(home.folder, 'shared');
      fs.mkdirSync(shared);
      fs.chmodSync(shared, 0o777);
      const file = path.join(shared, 'm.ndjson');
      const victim = path.join(home.folder, 'victim');
      fs.writeFileSync(victim, 'precious');
      fs.symlinkSync(victim, file);
      fs.lchownSync(file, 12_345, 12_345);
      expect(await home.mem(['export', file])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${file} is a link of another user`),
      });
      expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
      fs.rmSync(file);
      execFileSync('mkfifo', [file]);
      fs.chownSync(file, 12_345, 12_345);
      const refused = {
        code: 1,
        stderr: expect.stringContaining(`${file} is a pipe or device`),
      };
      // To open it would wait for a reader.
      expect(await home.mem(['export', file])).toMatchObject(refused);
      // So that there is a reader, as the other user would be.
      const reader = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
      expect(await home.mem(['export', file])).toMatchObject(refused);
      fs.closeSync(reader);
      fs.rmSync(file);
      fs.symlinkSync(victim, file);
      expect((await home.mem(['export', file])).code).toBe(0);
      expect([fs.lstatSync(file).isSymbolicLink(), fs.readFileSync(victim, 'utf8')]).toEqual([
        true,
        expect.stringContaining('memd-export'),
      ]);
    },
  );

  test('Markdown has a chapter a session, and no recorded text formats it', async () => {
    const home = await withHistory();
    home.operate(
      "UPDATE summaries SET text = '<img src=x> [link](http://x) `code`', pinned = 1 WHERE id = 1",
    );
    const { code, stdout } = await home.mem(['export', '--markdown']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^# Memories of project\n\n## Session s \(generic, 6 memories\)\n\n(?:>.*\n)+\n### \d{4}-\d\d-\d\d\n\n- \d\d:\d\d \*\*Read\*\* /,
    );
    expect(stdout).toContain('\\<img src=x\\> \\[link\\](http://x) \\`code\\` (#1, pinned)');
  });
});
