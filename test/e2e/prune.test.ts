import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/event/index.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const day = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();

interface Pruned {
  readonly groups: readonly { reason: string; count: number; bytes: number; examples: JsonObject[] }[];
  readonly removed: number;
  readonly restoreFile: string | null;
}

/**
 * A home with memories 1 to 5 and no daemon: 1 is replaced by 2 since long, 3 by 4 since yesterday, 5 and 6 are one call
 * made twice.
 */
async function withHistory(): Promise<Home> {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  for (const at of [1, 2, 3, 4]) {
    await home.capture({
      tool: 'Read',
      input: { file_path: `src/part-${at}.ts` },
      output: `text ${at}`,
      toolUseId: `call-${at}`,
      sessionId: 's',
    });
  }
  for (const at of [5, 6]) {
    await home.capture({
      tool: 'Bash',
      input: { command: 'npm test' },
      output: 'all passed',
      toolUseId: `call-${at}`,
      sessionId: 's',
    });
  }
  await home.memd(['stop']);
  const { code, stderr } = await home.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
  home.operate('DELETE FROM edges');
  const ages = [40, 30, 20, 1, 0.5, 0.25];
  for (const [at, age] of ages.entries()) {
    home.operate(`UPDATE summaries SET ts = '${daysAgo(age)}' WHERE id = ${at + 1}`);
  }
  for (const [from, to] of [
    [2, 1],
    [4, 3],
  ]) {
    home.operate(`INSERT INTO edges VALUES (${from}, ${to}, 'supersedes', 'read again', '${daysAgo(0)}')`);
  }
  return home;
}

const ids = (home: Home) => home.rows('SELECT id FROM summaries ORDER BY id').map(({ id }) => id);
const restoreFiles = (home: Home) =>
  fs.readdirSync(home.workspace().folder).filter((name) => name.startsWith('restore-'));

async function confirmed(home: Home): Promise<Pruned & { restoreFile: string }> {
  const { code, stdout, stderr } = await home.mem(['prune', '--confirm', '--json']);
  if (code !== 0) throw new Error(stderr);
  const pruned: Pruned = JSON.parse(stdout);
  if (pruned.restoreFile === null) throw new Error(stdout);
  return { ...pruned, restoreFile: pruned.restoreFile };
}

describe('mem prune', () => {
  test('shows what would go, grouped with reasons, sizes and examples, and changes nothing; with a daemon or without', async () => {
    const home = await withHistory();
    const without = await home.mem(['prune', '--json']);
    expect(without).toMatchObject({ code: 0, stderr: '' });
    expect(home.daemons()).toEqual([]);
    const plan: Pruned = JSON.parse(without.stdout);
    expect(plan).toMatchObject({
      groups: [
        { reason: 'superseded', count: 1, examples: [{ id: 1, by: 2, tool: 'Read' }] },
        { reason: 'duplicate', count: 1, examples: [{ id: 5, by: 6, tool: 'Bash' }] },
      ],
      removed: 0,
      restoreFile: null,
    });
    expect(plan.groups.every(({ bytes }) => bytes > 200)).toBe(true);
    await home.start();
    expect(JSON.parse((await home.mem(['prune', '--json'])).stdout)).toEqual(plan);
    expect(await home.ask({ op: 'prune' })).toEqual({ ok: true, ...plan });
    const { stdout } = await home.mem(['prune']);
    expect(stdout).toMatch(
      /^superseded: 1 memory, [\d.]+ (B|KiB) \(replaced by a newer memory for 7 days or more\)\n {2}#1 · Read · 40 days ago · stays: #2\n/,
    );
    expect(stdout).toMatch(/\nnothing was removed; to remove them, run: mem prune --confirm\n$/);
    expect(ids(home)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(restoreFiles(home)).toEqual([]);
  });

  test('--confirm removes it with index entries and vectors, and mem import brings it back under the same ids', async () => {
    const home = await withHistory();
    const before = home.rows(
      'SELECT e.id, e.payload_json, s.id AS n, s.text, s.terms, s.model, s.ts FROM events e JOIN summaries s ON s.event_id = e.id ORDER BY n',
    );
    const edges = home.rows('SELECT * FROM edges ORDER BY to_id');
    const { removed, restoreFile } = await confirmed(home);
    expect(removed).toBe(2);
    expect(ids(home)).toEqual([2, 3, 4, 6]);
    for (const table of ['summaries_fts', 'summary_embeddings', 'events']) {
      expect(home.rows(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 4 }]);
    }
    expect(path.dirname(restoreFile)).toBe(home.workspace().folder);
    expect(path.basename(restoreFile)).toMatch(/^restore-\d{8}T\d{6}\.\d{3}Z\.ndjson$/);
    expect(fs.statSync(restoreFile).mode & 0o777).toBe(0o600);
    expect((await home.mem(['prune'])).stdout).toBe('nothing to prune\n');

    const back = await home.mem(['import', restoreFile]);
    expect(back).toMatchObject({ code: 0, stdout: '2 events, 2 summaries, 1 edge taken in\n', stderr: '' });
    expect(
      home.rows(
        'SELECT e.id, e.payload_json, s.id AS n, s.text, s.terms, s.model, s.ts FROM events e JOIN summaries s ON s.event_id = e.id ORDER BY n',
      ),
    ).toEqual(before);
    expect(home.rows('SELECT * FROM edges ORDER BY to_id')).toEqual(edges);
    expect((await home.mem(['import', restoreFile])).stdout).toBe('nothing new taken in; 5 known already\n');
    await home.memd(['drain']);
    expect(await home.info()).toMatchObject({ counts: { summaries: 6, embeddings: 6, raw: 0 } });
    expect((await home.mem(['search', 'part-1.ts'])).stdout).toContain('#1 ');
  });

  test('never takes a pinned one, nor the newest of a chain, nor what an edge against time points at', async () => {
    const home = await withHistory();
    home.operate('UPDATE summaries SET pinned = 1 WHERE id IN (1, 5)');
    expect((await home.mem(['prune', '--confirm'])).stdout).toBe('nothing to prune\n');
    home.operate('UPDATE summaries SET pinned = 0');
    // A ring: each says it replaces the other.
    home.operate(`INSERT INTO edges VALUES (1, 2, 'supersedes', '', '${daysAgo(0)}')`);
    await confirmed(home);
    expect(ids(home)).toEqual([2, 3, 4, 6]);
  });

  test('what is pruned is not captured again, and import lifts that', async () => {
    const home = await withHistory();
    const { restoreFile } = await confirmed(home);
    const call = {
      tool: 'Read',
      input: { file_path: 'src/part-1.ts' },
      output: 'text 1',
      toolUseId: 'call-1',
      sessionId: 's',
    };
    await home.capture(call);
    expect(await home.info()).toMatchObject({ counts: { events: 4 } });
    await home.mem(['import', restoreFile]);
    expect(home.rows('SELECT event_id FROM forgotten')).toEqual([]);
    expect(await home.info()).toMatchObject({ counts: { events: 6 } });
  });

  test.each([
    ['before the restore file has its name', 'archive.rename@1=kill', 0],
    ['when it is on the disk, before the removal', 'archive.folder.after@1=kill', 1],
  ])('killed %s has removed nothing, and can be asked again', async (_when, fault, files) => {
    const home = await withHistory();
    await home.start({ env: { MEMD_FAULTS: fault } });
    expect((await home.mem(['prune', '--confirm'])).code).toBe(1);
    await home.start();
    expect(ids(home)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(restoreFiles(home)).toHaveLength(files);
    expect((await confirmed(home)).removed).toBe(2);
    expect(restoreFiles(home)).toHaveLength(files + 1);
  });

  test('removes restore files after 30 days, by the time in their names, and no other file', async () => {
    const home = await withHistory();
    const { folder } = home.workspace();
    const old = `restore-${daysAgo(31).replaceAll(/[-:]/g, '')}.ndjson`;
    const young = `restore-${daysAgo(29).replaceAll(/[-:]/g, '')}.ndjson`;
    const own = 'restore-of-mine.ndjson';
    const place = (): void => {
      for (const name of [old, young, own]) fs.writeFileSync(path.join(folder, name), '', { mode: 0o600 });
    };
    place();
    await home.start();
    expect(restoreFiles(home).sort()).toEqual([own, young].sort());
    place();
    const { restoreFile } = await confirmed(home);
    expect(restoreFiles(home).sort()).toEqual([own, young, path.basename(restoreFile)].sort());
  });
});

describe('mem export and mem import', () => {
  const bodyOf = (text: string): string[] => text.trimEnd().split('\n').slice(1);

  test('what was exported is the same after an import into an empty workspace, with a daemon there or without', async () => {
    const home = await withHistory();
    home.operate(`
      INSERT INTO prompts VALUES ('pr_1', 's', '${daysAgo(3)}', 'read the parts');
      INSERT OR REPLACE INTO digests SELECT 's', 'parts were read', 'parts', 'builtin', max(ts), max(seq) FROM events;
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
      expect(other.daemons()).toHaveLength(withDaemon ? 1 : 0);
      expect(bodyOf((await other.mem(['export'])).stdout)).toEqual(bodyOf(first.stdout));
    }
  });

  test('bad lines are passed over with their numbers, secrets are redacted, and nothing is overwritten', async () => {
    const home = await withHistory();
    const file = path.join(home.folder, 'all.ndjson');
    await home.mem(['export', file]);
    const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');
    const [head = '', ...lines] = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    const changed = lines.map((line) => line.replace('text 1', `key ${secret}`));
    const text = [head, 'no json', ...changed, '{"type":"unheard"}', '{"type":"prompt","id":7}'].join('\n');
    fs.writeFileSync(file, text);
    const again = await home.mem(['import', file]);
    expect(again.stdout).toMatch(/^nothing new taken in; 15 known already; 2 redacted$/m);
    expect(home.rows("SELECT 1 FROM events WHERE payload_json LIKE '%text 1%'")).toHaveLength(1);

    const other = Home.open({ config: { 'drain.tickMs': 600_000 } });
    const { code, stdout, stderr } = await other.mem(['import', file]);
    expect(code).toBe(0);
    expect(stdout).toBe('6 events, 6 summaries, 2 edges, 1 digest taken in; 2 redacted\n');
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^mem: line 2 was passed over: /),
      expect.stringMatching(/^mem: line 18 was passed over: type: not /),
      expect.stringMatching(/^mem: line 19 was passed over: id: not string/),
      '',
    ]);
    const stored = other
      .rows('SELECT payload_json FROM events')
      .map(({ payload_json }) => String(payload_json));
    expect(stored.join('')).toContain('<redacted:aws-access-key>');
    expect(stored.join('')).not.toContain(secret);
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
    fs.writeFileSync(file, '{"format":"memd-export","version":2}\n');
    for (const withDaemon of [false, true]) {
      if (withDaemon) await home.start();
      fs.writeFileSync(file, '{"format":"memd-export","version":2}\n');
      expect(await home.mem(['import', file])).toMatchObject({
        code: 1,
        stderr: `mem: ${file} was written by a newer memd (format version 2, and this memd knows versions up to 1); nothing was taken in; install that memd, or a newer one\n`,
      });
      for (const text of ['', 'hello\n', '{}\n', '\0\0']) {
        fs.writeFileSync(file, text);
        expect((await home.mem(['import', file])).stderr).toMatch(/^mem: .+ is no export of memd: .+\n$/);
      }
      expect((await home.mem(['import', 'nowhere.ndjson'])).stderr).toMatch(
        /^mem: there is no .+nowhere\.ndjson; nothing was taken in\n$/,
      );
      expect((await home.mem(['import', home.folder])).stderr).toMatch(/ is not a file; /);
    }
    expect((await Home.open().mem(['export'])).stderr).toMatch(
      /^mem: there is no memory of .+; run: memd up\n$/,
    );
  });

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
