import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Finding, Fixed } from '#surfaces/health';
import { closedPort, startModelServer } from '../model-server.ts';
import { type Break, brokenForGood, brokenForNow, secret, writePrivate } from '../support/broken-things.ts';
import { dist, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { run } from '../support/run.ts';

interface Printed {
  readonly code: number | null;
  readonly stderr: string;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly mended: readonly Fixed[];
}

/** A home with 120 memories and no daemon; the others are copies of it, with the same project. */
let healthy: Home;
const homes: Home[] = [];

beforeAll(async () => {
  healthy = await Home.withRaw(2, { config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  const payload = `replace(payload_json, 'part 1', 'part ' || n)`;
  healthy.operate(`
    WITH RECURSIVE counting (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counting WHERE n < 119)
    INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json)
      SELECT 'ev_' || n, ts, session_id, tool, 'call-' || n, client, ${payload}
      FROM counting, (SELECT * FROM events WHERE tool_use_id = 'call-1')`);
  const { code, stderr } = await healthy.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
});
afterEach(async () => {
  // Those of the copies are printed by the project, which is the healthy one's.
  for (const pid of healthy.daemons()) await end(pid);
  for (const home of homes.splice(0)) await home.close();
});
afterAll(async () => {
  await healthy.close();
  expect(leftBehind()).toEqual([]);
});

/** A copy of the healthy home. Its project is the healthy one's: a memory is found by the project's path. */
function copy(env: Record<string, string> = {}): Home {
  const home = Home.open({ config: null, env: { CLAUDE_PROJECT_DIR: healthy.project, ...env } });
  homes.push(home);
  fs.cpSync(healthy.home, home.home, { recursive: true });
  return home;
}

async function doctor(home: Home, ...args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await home.memd(['doctor', '--json', ...args]);
  if (stdout === '') throw new Error(stderr);
  const printed: Omit<Printed, 'code' | 'stderr'> = JSON.parse(stdout);
  return { code, stderr, ...printed };
}

/** The codes of what is wrong, each once. */
function wrongs({ findings }: Pick<Printed, 'findings'>): string[] {
  const codes = findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code);
  return [...new Set(codes)].sort();
}

/** Expects each of `breaks` to be found, and nothing else to be wrong. */
function expectFound(printed: Printed, breaks: readonly Break[]): void {
  expect(wrongs(printed)).toEqual(
    [...new Set(breaks.filter((one) => !one.isNote).map(({ code }) => code))].sort(),
  );
  for (const { name, code, isNote, repair } of breaks) {
    const own = printed.findings.filter((one) => one.code === code);
    expect(own, name).not.toEqual([]);
    if (isNote) expect(own.map(({ severity }) => severity)).toContain('note');
    if (repair !== undefined) expect(own.map((one) => one.repair).join('\n'), name).toMatch(repair);
  }
}

/** Without the files that SQLite adds while it reads. */
function filesOf({ home }: Home): string[] {
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !/-(?:wal|shm)$/.test(name)).sort();
}

describe('a world', () => {
  test('that is well gives nothing, and looking at it changes nothing', async () => {
    const home = copy();
    const before = filesOf(home);
    const printed = await doctor(home);
    expect(printed).toMatchObject({ code: 0, ok: true, mended: [] });
    expect(printed.findings.map(({ code }) => code)).toEqual(['daemon', 'models']);
    expect(filesOf(home)).toEqual(before);
    expect(healthy.daemons()).toEqual([]);
  });

  test(`in which ${brokenForNow.length} things are broken that can be repaired: each is found and repaired`, async () => {
    const home = copy();
    for (const { breaks } of brokenForNow) breaks(home);
    expectFound(await doctor(home), brokenForNow);
    const fixed = await doctor(home, '--fix');
    expect(wrongs(fixed)).toEqual([]);
    expect(fixed).toMatchObject({ code: 0, ok: true });
    for (const { name, code } of brokenForNow) {
      const own = fixed.mended.filter((one) => one.code === code);
      expect(own, name).not.toEqual([]);
      expect(own.every(({ did }) => did !== '')).toBe(true);
    }
    const counts = home.rows(`SELECT (SELECT count(*) FROM summaries) AS summaries,
      (SELECT count(*) FROM summaries_fts_docsize) AS indexed, (SELECT count(*) FROM summary_embeddings) AS vectors`);
    expect(counts).toEqual([{ summaries: 120, indexed: 120, vectors: 120 }]);
    expect(healthy.daemons()).toEqual([]);
  });

  test(`in which ${brokenForGood.length} things are broken that only the user can repair: each is found and says how`, async () => {
    const home = copy();
    for (const { breaks } of brokenForGood) breaks(home);
    expectFound(await doctor(home), brokenForGood);
    const fixed = await doctor(home, '--fix');
    expectFound(fixed, brokenForGood);
    expect(fixed).toMatchObject({ code: 1, ok: false, mended: [] });
  });

  test('whose database has a torn page: set aside and salvaged by --fix, with every memory', async () => {
    const home = copy();
    const { database } = home.workspace();
    const [row] = home.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'events_session'");
    const bytes = fs.readFileSync(database);
    const page = bytes.readUInt16BE(16);
    bytes.fill(0xaa, (Number(row?.rootpage) - 1) * page, Number(row?.rootpage) * page);
    fs.writeFileSync(database, bytes);
    expect(wrongs(await doctor(home))).toContain('database');
    const fixed = await doctor(home, '--fix');
    expect(wrongs(fixed)).toEqual([]);
    // What is salvaged has no vectors: that is found after the repair and repaired in the same run.
    expect(fixed.mended.map(({ code }) => code)).toEqual(expect.arrayContaining(['database', 'vectors']));
    expect(fixed.findings.find(({ code }) => code === 'backups')?.detail).toContain('db.sqlite.corrupt-');
    expect(home.rows('SELECT count(*) AS n FROM summaries')).toEqual([{ n: 120 }]);
  });

  test('whose database is of a newer memd: printed with both versions, and left as it is', async () => {
    const home = copy();
    home.operate('PRAGMA user_version = 99');
    const before = fs.readFileSync(home.workspace().database);
    const printed = await doctor(home, '--fix');
    expect(printed).toMatchObject({ code: 1, mended: [] });
    const found = printed.findings.find(({ code }) => code === 'database');
    expect(found).toMatchObject({ severity: 'error', detail: expect.stringMatching(/schema 99.*up to \d/) });
    expect(found?.repair).toMatch(/memd restart/);
    expect(fs.readFileSync(home.workspace().database).equals(before)).toBe(true);
  });

  test.each([
    ['of a wrong type', '{"topK": "many"}', /topK must be/],
    ['that is cut off', '{"topK": 1', /not valid JSON/],
    ['with a key in it', JSON.stringify({ hostedllm: { apiKey: secret } }), /looks like an API key/],
  ])('with settings %s: the daemon that runs is not stopped for a repair', async (_what, text, words) => {
    const home = copy();
    const pid = await home.start();
    home.writeConfig(text);
    writePrivate(home.workspace().token, 'hunter2\n');
    const printed = await doctor(home, '--fix');
    expect(wrongs(printed)).toEqual(['config', 'token']);
    const found = printed.findings.find(({ code }) => code === 'config');
    expect(found).toMatchObject({ severity: 'error', detail: expect.stringMatching(words) });
    expect(found?.repair).toMatch(/then run `memd restart`$/);
    expect(JSON.stringify(printed)).not.toContain(secret);
    expect(printed.stderr).toContain('the daemon was not stopped for repairs');
    expect(healthy.daemons()).toEqual([pid]);
  });

  test('whose daemon is of an older version, rules in no force, and a hook of a program that is gone', async () => {
    const older = olderBuild();
    const home = copy();
    const scope = path.join(healthy.project, '.memd/scope.json');
    try {
      await home.memd(['install', 'claude-code']);
      const settings = path.join(home.home, '.claude/settings.json');
      fs.writeFileSync(
        settings,
        fs.readFileSync(settings, 'utf8').replaceAll(dist, path.join(home.folder, 'gone')),
      );
      const options = { cwd: home.project, env: home.env() };
      await run(process.execPath, [path.join(older, 'memd.cjs'), 'start'], options);
      writePrivate(scope, '{"allow": ["src/**"],}');
      const printed = await doctor(home);
      expect(wrongs(printed)).toEqual(['assistants', 'daemon', 'scope']);
      expect(printed.findings.find(({ code }) => code === 'daemon')?.detail).toMatch(/^0\.0\.1, not /);
      const { findings, warnings } = await home.info();
      expect(findings.map(({ code }) => code)).toEqual(['scope']);
      expect(warnings).toEqual([expect.stringContaining('the boundary is NOT in force')]);
      const fixed = await doctor(home, '--fix');
      expect(wrongs(fixed)).toEqual(['scope']);
      expect(fixed.findings.find(({ code }) => code === 'scope')?.repair).toContain('strict JSON');
      expect((await home.info()).version).not.toBe('0.0.1');
    } finally {
      fs.rmSync(path.dirname(scope), { recursive: true, force: true });
      fs.rmSync(older, { recursive: true, force: true });
    }
  });

  test('whose models are not there: each is printed with what to run, and nothing is asked of the paid one', async () => {
    const server = await startModelServer({ models: [] });
    const paid = await startModelServer();
    try {
      const home = copy({ LOCALLLM_HOST: server.url });
      const lacking = await doctor(home);
      expect(lacking.findings.filter(({ code }) => code === 'models').map(({ repair }) => repair)).toEqual([
        'run `ollama pull llama3.2:3b`',
        'run `ollama pull nomic-embed-text`',
      ]);
      const gone = `http://127.0.0.1:${await closedPort()}`;
      const key = 'k'.repeat(40);
      const both = { LOCALLLM_HOST: gone, HOSTEDLLM_API_KEY: key };
      home.configure({ 'hostedllm.endpoint': paid.url, 'localllm.endpoint': server.url });
      const hosted = await home.memd(['doctor', '--json'], { env: both });
      const printed: Printed = JSON.parse(hosted.stdout);
      expect(wrongs(printed)).toEqual([]);
      expect(printed.findings.map(({ code }) => code)).toContain('environment');
      expect(hosted.stdout).not.toContain(key);
      expect(paid.requests).toEqual([]);
      home.configure({ 'drain.backend': 'hosted' });
      const keyless = await doctor(home);
      expect(wrongs(keyless)).toEqual(['models']);
      home.configure({ 'hostedllm.endpoint': paid.url, 'hostedllm.dailyTokenBudget': 0 });
      home.operate("UPDATE events SET status = 'raw' WHERE seq = 1");
      const spent: Printed = JSON.parse((await home.memd(['doctor', '--json'], { env: both })).stdout);
      expect(wrongs(spent)).toEqual(['budget']);
      expect(paid.requests).toEqual([]);
    } finally {
      await server.close();
      await paid.close();
    }
  });

  test('of a namespace that is none is printed in the same shape', async () => {
    const home = copy({ MEMD_NS: '../x' });
    const printed: Printed = JSON.parse((await home.memd(['doctor', '--json'])).stdout);
    expect(printed).toMatchObject({
      ok: false,
      findings: [{ code: 'workspace', severity: 'error' }],
      mended: [],
    });
  });
});

/** This program under an older number; below `node_modules`, where it finds SQLite. */
function olderBuild(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { version }: { version: string } = JSON.parse(
    fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const older = path.join(root, `node_modules/.dist-older-doctor-${process.pid}`);
  fs.cpSync(dist, older, { recursive: true });
  const scripts = fs.readdirSync(older, { recursive: true, encoding: 'utf8' });
  for (const name of scripts.filter((one) => /\.[cm]?js$/.test(one))) {
    const script = path.join(older, name);
    const text = fs.readFileSync(script, 'utf8');
    if (text.includes(`"${version}"`)) fs.writeFileSync(script, text.replaceAll(`"${version}"`, '"0.0.1"'));
  }
  return older;
}
