import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { daysAgo, withHistory } from '../support/history.ts';
import { closeHomes, type Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

interface Pruned {
  readonly groups: readonly { reason: string; count: number; bytes: number; examples: JsonObject[] }[];
  readonly removed: number;
  readonly restoreFile: string | null;
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

const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()]).status === 0;

/** Puts a home without a daemon on a small disk of its own, and takes the room from it. */
class SmallDisk {
  readonly #folder: string;
  readonly #fill: string;

  constructor({ home }: Home) {
    this.#folder = home;
    this.#fill = path.join(home, 'fill');
    fs.renameSync(home, `${home}.before`);
    fs.mkdirSync(home);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', home]);
    fs.cpSync(`${home}.before`, home, { recursive: true });
  }

  leave(bytes: number): void {
    fs.rmSync(this.#fill, { force: true });
    const { bavail, bsize } = fs.statfsSync(this.#folder);
    fs.writeFileSync(this.#fill, Buffer.alloc(bavail * bsize - bytes));
  }

  remove(): void {
    execFileSync('umount', ['-l', this.#folder]);
  }
}

describe('mem prune', () => {
  test.runIf(canMount)('on a full disk fails in words, removes nothing and takes no room', async () => {
    const home = await withHistory();
    const disk = new SmallDisk(home);
    try {
      await home.start({ env: { MEMD_NO_HTTP: '1' } });
      const causes = new Set<string | undefined>();
      // No room for the restore file, then for the file but not for the database's log.
      for (const bytes of [0, 16_384, 32_768]) {
        disk.leave(bytes);
        const { code, stderr } = await home.mem(['prune', '--confirm']);
        expect(code).toBe(1);
        const said = /^mem: the prune has failed: (.+)\. Nothing was removed\. Make room on the disk .+\n$/;
        causes.add(said.exec(stderr)?.[1]);
        expect([ids(home), restoreFiles(home)]).toEqual([[1, 2, 3, 4, 5, 6], []]);
      }
      expect(causes).toEqual(new Set(['ENOSPC: no space left on device, write', 'database or disk is full']));
      disk.leave(0);
      // As any other op that writes.
      const focus = await home.memd(['focus', 'x'.repeat(2_000)]);
      expect(focus.stderr).toMatch(/^memd: database or disk is full\. Make room on the disk .+\n$/);
      disk.leave(4_000_000);
      expect((await confirmed(home)).removed).toBe(2);
      expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      await home.memd(['stop']);
    } finally {
      disk.remove();
    }
  });

  test('shows what would go, grouped with reasons, sizes and examples, and removes nothing', async () => {
    const home = await withHistory();
    const first = await home.mem(['prune', '--json']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const plan: Pruned = JSON.parse(first.stdout);
    expect(plan).toMatchObject({
      groups: [
        { reason: 'superseded', count: 1, examples: [{ id: 1, by: 2, tool: 'Read' }] },
        { reason: 'duplicate', count: 1, examples: [{ id: 5, by: 6, tool: 'Bash' }] },
      ],
      removed: 0,
      restoreFile: null,
    });
    expect(plan.groups.every(({ bytes }) => bytes > 200)).toBe(true);
    expect(JSON.parse((await home.mem(['prune', '--json'])).stdout)).toEqual(plan);
    expect(await home.ask({ op: 'prune' })).toEqual({ ok: true, ...plan });
    const { stdout } = await home.mem(['prune']);
    expect(stdout).toMatch(
      /^superseded: 1 memory, [\d.]+ (B|KiB) \(replaced by a newer memory at least 7 days ago\)\n {2}#1 · Read · \d{4}-\d\d-\d\d · stays: #2\n/,
    );
    expect(stdout).toMatch(
      / Nothing was removed\. Pinned memories stay\.\nTo remove them .+, run `mem prune --confirm`\.\n$/,
    );
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
    const digests = home.rows('SELECT id FROM digests').map(({ id }) => id);
    expect(home.rows('SELECT rowid AS id FROM summaries_fts ORDER BY 1').map(({ id }) => id)).toEqual([
      ...[2, 3, 4, 6],
      ...digests,
    ]);
    for (const table of ['summary_embeddings', 'events']) {
      expect(home.rows(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 4 }]);
    }
    expect(path.dirname(restoreFile)).toBe(home.workspace().folder);
    expect(path.basename(restoreFile)).toMatch(/^restore-\d{8}T\d{6}\.\d{3}Z\.ndjson$/);
    expect(fs.statSync(restoreFile).mode & 0o777).toBe(0o600);
    expect((await home.mem(['prune'])).stdout).toBe('nothing to prune\n');

    const back = await home.mem(['import', restoreFile]);
    expect(back).toMatchObject({ code: 0, stdout: 'imported 2 events, 2 summaries, 1 edge\n', stderr: '' });
    expect(
      home.rows(
        'SELECT e.id, e.payload_json, s.id AS n, s.text, s.terms, s.model, s.ts FROM events e JOIN summaries s ON s.event_id = e.id ORDER BY n',
      ),
    ).toEqual(before);
    expect(home.rows('SELECT * FROM edges ORDER BY to_id')).toEqual(edges);
    expect((await home.mem(['import', restoreFile])).stdout).toBe('imported nothing new; 5 known already\n');
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
    ['when all is removed but for the commit', 'prune.rows@1=kill', 1],
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

  test('takes no more at once than others can wait for, and says what is left', async () => {
    const home = await withHistory();
    await home.start({ env: { MEMD_FAULTS: 'prune.rows.max=1' } });
    const more = /\nAfter that, run it again: 1 more memory may follow\.$/m;
    expect((await home.mem(['prune'])).stdout).toMatch(more);
    expect((await home.mem(['prune', '--confirm'])).stdout).toMatch(more);
    expect(ids(home)).toEqual([2, 3, 4, 5, 6]);
    expect(await confirmed(home)).toMatchObject({ removed: 1, left: 0 });
    expect(ids(home)).toEqual([2, 3, 4, 6]);
    expect(restoreFiles(home)).toHaveLength(2);
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
