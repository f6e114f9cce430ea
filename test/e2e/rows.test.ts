import fs from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { read } from '../../src/surfaces/cli/replies.ts';
import { type ModelServer, startModelServer } from '../model-server.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

const servers: ModelServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  await closeHomes();
});
afterAll(() => expect(leftBehind()).toEqual([]));

const builtin = { MEMD_DRAIN_BACKEND: 'builtin' };
const models = (home: Home) =>
  home.rows('SELECT DISTINCT model FROM summaries ORDER BY model').map(({ model }) => model);

describe('rows that an operator touches', () => {
  test('a malformed payload is skipped after three drains with its reason; its batch mates are summarised', async () => {
    const home = await Home.withRaw(2);
    home.operate(
      `INSERT INTO events (id, ts, tool, payload_json) VALUES ('broken', '2026-01-01T00:00:00.000Z', 'Read', '{"tool":"Read","in')`,
    );
    for (const processed of [2, 0, 0]) {
      const ran = await home.memd(['drain'], { env: builtin });
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.stdout)).toEqual({
        processed,
        firstError: expect.stringContaining('malformed payload'),
      });
    }
    expect(home.rows("SELECT status, attempts, last_error FROM events WHERE id = 'broken'")).toEqual([
      { status: 'skipped', attempts: 3, last_error: expect.stringContaining('malformed payload') },
    ]);
    expect((await home.info()).counts).toMatchObject({ summarized: 2, skipped: 1, raw: 0 });
    const skipped = home.daemonLog().filter(({ msg }) => msg === 'event skipped');
    expect(skipped).toMatchObject([{ level: 40, reason: expect.stringContaining('malformed payload') }]);
    expect(fs.statSync(home.workspace().daemonLog).mode & 0o777).toBe(0o600);
    // It is not retried by itself, and is when the operator has repaired it.
    expect(await home.memd(['drain'], { env: builtin })).toMatchObject({
      code: 0,
      stdout: '{"processed":0}\n',
    });
    home.operate(
      `UPDATE events SET payload_json = '{"tool":"Read","input":{},"output":"repaired"}', status = 'raw' WHERE id = 'broken'`,
    );
    expect(await home.memd(['drain'], { env: builtin })).toMatchObject({
      code: 0,
      stdout: '{"processed":1}\n',
    });
    expect(home.rows("SELECT status, last_error FROM events WHERE id = 'broken'")).toEqual([
      { status: 'summarized', last_error: null },
    ]);
  });

  test("UPDATE events SET status = 'raw' drains them again: ids and pins stay, text and vector are made again", async () => {
    const home = await Home.withRaw(3);
    await home.memd(['drain'], { env: builtin });
    const ids = () => home.rows('SELECT id, event_id, pinned FROM summaries ORDER BY id');
    home.operate('UPDATE summaries SET pinned = 1 WHERE id = 2');
    const before = ids();
    home.operate("UPDATE events SET status = 'raw'");
    const server = await startModelServer();
    servers.push(server);
    expect((await home.memd(['drain'], { env: { LOCALLLM_HOST: server.url } })).stdout).toBe(
      '{"processed":3}\n',
    );
    expect(ids()).toEqual(before);
    expect(models(home)).toEqual(['llama3.2:3b']);
    expect((await home.info()).counts).toMatchObject({ summaries: 3, embeddings: 3, summarized: 3 });
    expect(home.rows('SELECT count(*) AS n FROM summaries_fts')).toEqual([{ n: 3 }]);
  });

  test('DELETE FROM summaries_fts: the index is rebuilt at the next start, and search finds again', async () => {
    const home = await Home.withRaw(3);
    await home.memd(['drain'], { env: builtin });
    home.operate('DELETE FROM summaries_fts');
    await home.start();
    const { hits } = read('search', await home.ask({ op: 'search', query: 'src/part-1.ts' }));
    expect(hits[0]?.toolUseId).toBe('call-1');
    const why = read('why', await home.ask({ op: 'why', query: 'src/part-1.ts', id: hits[0]?.id ?? 0 })).why;
    expect(why.bm25.rank).toBe(1);
  });
});

describe('several drains at once', () => {
  test('two commands and a daemon summarise each row once, and none fails on a lock', async () => {
    const home = await Home.withRaw(0, { env: builtin, config: { drain: { tickMs: 50 } } });
    await home.start();
    const rounds = 3;
    for (let round = 0; round < rounds; round += 1) {
      const names = Array.from({ length: 60 }, (_, at) => `${round}-${at}`);
      await Promise.all(
        names.map((name) =>
          home.capture({ tool: 'Read', input: { file_path: `${name}.ts` }, output: name, toolUseId: name }),
        ),
      );
      const drains = await Promise.all([
        home.memd(['drain']),
        home.memd(['drain']),
        home.ask({ op: 'drain' }),
        home.ask({ op: 'drain', limit: 10 }),
      ]);
      expect(drains.slice(0, 2)).toMatchObject([
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ]);
      expect(drains.slice(2)).toMatchObject([{ ok: true }, { ok: true }]);
      expect(drains.slice(2).map((drain) => 'firstError' in drain)).toEqual([false, false]);
    }
    expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
    expect((await home.info()).counts).toMatchObject({
      summarized: 60 * rounds,
      summaries: 60 * rounds,
      raw: 0,
    });
    expect(home.rows('SELECT count(*) AS n FROM summaries_fts')).toEqual([{ n: 60 * rounds }]);
    const bad = home.daemonLog().filter(({ level, error }) => level >= 40 && error.includes('lock'));
    expect(bad).toEqual([]);
  });
});
