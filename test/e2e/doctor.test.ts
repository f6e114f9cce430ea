import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { encodeRecord } from '#capture/log';
import type { Finding } from '#surfaces/health';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/** A key of a known format, made up here so that none stands in the source. */
const secret = ['AKIA', 'QX7', 'PL2', 'ZM4', 'RT9', 'WB6', 'K'].join('');
/** A password that only its name gives away. */
const password = ['tangerine', 'submarine', '47'].join('-');

interface Doctor {
  readonly code: number | null;
  readonly stderr: string;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  readonly mended: readonly Finding[];
}

async function doctor(home: Home, ...args: string[]): Promise<Doctor> {
  const { code, stdout, stderr } = await home.memd(['doctor', '--json', ...args]);
  if (stdout === '') throw new Error(stderr);
  const printed: Omit<Doctor, 'code' | 'stderr'> = JSON.parse(stdout);
  return { code, stderr, ...printed };
}

/** Errors and warnings by code. */
function wrongs({ findings }: Doctor): string[] {
  return findings
    .filter(({ severity }) => severity !== 'note')
    .map(({ code, detail }) => `${code}: ${detail}`);
}

/** All files below a folder that hold one of `texts`, in any letter case, as UTF-8. */
function filesWith(folder: string, ...texts: string[]): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = path.join(folder, name);
    if (!fs.lstatSync(file).isFile()) return false;
    const bytes = fs.readFileSync(file, 'latin1').toLowerCase();
    return texts.some((text) => bytes.includes(text.toLowerCase()));
  });
}

/** A home with three summaries; what is put in by `plant` bypasses redaction. */
async function summarised(): Promise<Home> {
  const home = await Home.withRaw(3, { config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  const { code, stderr } = await home.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
  return home;
}

/** What an older memd with fewer rules would have stored. */
function plant(home: Home): void {
  const { spool, log, database } = home.workspace();
  const payload = `replace(payload_json, 'the text of part', 'key ${secret} DB_PASSWORD=${password}')`;
  home.operate(`
    UPDATE events SET payload_json = ${payload}, last_error = 'refused ${secret}';
    UPDATE summaries SET text = 'connected with ${password}', terms = 'psql ${password} ${secret}';
    UPDATE summaries SET pinned = 1 WHERE id = 2;
    DELETE FROM summaries_fts;
    INSERT INTO summaries_fts (rowid, text, terms) SELECT id, text, terms FROM summaries;
    INSERT INTO edges (from_id, to_id, kind, evidence, ts) VALUES (3, 1, 'supersedes', 'key ${secret}', '2026-01-01');
    INSERT OR REPLACE INTO settings VALUES ('focus', 'rotate ${secret}');
    VACUUM INTO '${database}.schema-0.backup';`);
  fs.chmodSync(`${database}.schema-0.backup`, 0o600);
  const event = {
    ...{ id: 'ev_planted', tool: 'Bash', input: { command: 'env' }, output: `DB_PASSWORD=${password}` },
    ...{ sessionId: 's', toolUseId: 'planted', ts: '2026-01-01T00:00:00.000Z', client: 'generic' as const },
    ...{ isError: false, cwd: null },
  };
  fs.writeFileSync(log, `${encodeRecord(event)}{"sum":"torn","event":{"output":"${secret}`, { mode: 0o600 });
  const folder = path.dirname(log);
  fs.writeFileSync(path.join(folder, 'wal-damaged.ndjson'), `half a line ${secret}\n`, { mode: 0o600 });
  fs.writeFileSync(spool, encodeRecord({ ...event, id: 'ev_spooled', toolUseId: 'spooled' }), {
    mode: 0o600,
  });
  fs.writeFileSync(`${spool}.taking`, encodeRecord({ ...event, id: 'ev_taking', toolUseId: 'taking' }), {
    mode: 0o600,
  });
  fs.writeFileSync(`${database}.corrupt-20260101T000000.000Z`, `\0\0SQLite no more\0key ${secret}\0`, {
    mode: 0o600,
  });
  fs.writeFileSync(path.join(folder, 'restore-20260101.ndjson'), `{"text":"key ${secret}"}\n`, {
    mode: 0o600,
  });
}

describe('secrets that an older memd has stored', () => {
  test('are reported by place and kind, and never shown', async () => {
    const home = await summarised();
    plant(home);
    const found = await doctor(home);
    expect(found.code).toBe(1);
    expect(wrongs(found)).toEqual([
      'stored-secrets: events: 3 rows (aws-access-key 6, env 3)',
      'stored-secrets: summaries: 3 rows (aws-access-key 3, repeated-secret 3)',
      'stored-secrets: edges: 1 row (aws-access-key 1)',
      'stored-secrets: settings: 1 row (aws-access-key 1)',
      'stored-secrets: restore-20260101.ndjson: 1 line (aws-access-key 1)',
      'stored-secrets: spool.ndjson.taking: 1 line (env 1)',
      'stored-secrets: wal-damaged.ndjson: 1 line (aws-access-key 1)',
      'stored-secrets: wal.ndjson: 2 lines (aws-access-key 1, env 1)',
      'stored-secrets: spool.ndjson: 1 line (env 1)',
      expect.stringContaining('stored-secrets: db.sqlite.corrupt-20260101T000000.000Z: 1 place'),
      expect.stringContaining('stored-secrets: db.sqlite.schema-0.backup: '),
    ]);
    const { stdout, stderr, code } = await home.memd(['doctor']);
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toMatch(
      /^error +stored-secrets: Stored data contains secrets .+: events: .+\. Run `memd doctor --fix`\.$/,
    );
    expect(stdout + stderr).not.toMatch(new RegExp(`${secret}|${password}`, 'i'));
  });

  test('are scrubbed by --fix until no byte of them is left below HOME; ids, pins and edges stay', async () => {
    const home = await summarised();
    plant(home);
    expect(filesWith(home.home, secret, password).length).toBeGreaterThan(7);
    const ids = home.rows('SELECT e.id AS event, s.id FROM events e JOIN summaries s ON s.event_id = e.id');
    const fixed = await doctor(home, '--fix');
    expect(filesWith(home.home, secret, password)).toEqual([]);
    expect(fixed).toMatchObject({ code: 0, ok: true });
    expect(fixed.mended).toHaveLength(11);
    expect(home.daemons()).toEqual([]);
    expect(
      home.rows('SELECT e.id AS event, s.id FROM events e JOIN summaries s ON s.event_id = e.id'),
    ).toEqual(ids);
    expect(home.rows('SELECT id FROM summaries WHERE pinned = 1')).toEqual([{ id: 2 }]);
    expect(home.rows('SELECT from_id, to_id, evidence FROM edges')).toEqual([
      { from_id: 3, to_id: 1, evidence: 'key <redacted:aws-access-key>' },
    ]);
    expect(home.rows('SELECT DISTINCT text FROM summaries')).toEqual([
      { text: 'connected with <redacted:env>' },
    ]);
    expect(home.rows("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'connected'")).toHaveLength(
      3,
    );
    expect(await doctor(home)).toMatchObject({ code: 0, ok: true });

    // What waited is taken in whole: each record has the checksum of what it says now.
    await home.start();
    expect(
      home.rows("SELECT id FROM events WHERE id IN ('ev_planted', 'ev_spooled', 'ev_taking')"),
    ).toHaveLength(3);
    expect(home.daemonLog().filter(({ msg }) => msg.startsWith('WAL replay failed'))).toHaveLength(1);
    expect((await home.mem(['search', 'connected'])).stdout).toContain('connected with <redacted:env>');
    expect(filesWith(home.home, secret, password)).toEqual([]);
  });

  test('of forms that earlier versions did not know go too: in sentences, glued to a word, in ids and names, new formats', async () => {
    const home = await summarised();
    const random = (length: number): string => 'q7Rk2Zx9Vb4Tn8Lm3Wp6Hs1Dj5Fc0Gy'.repeat(3).slice(0, length);
    const key = `kT4/${random(18)}+9aB`;
    const [token, gemini] = [`ghp_${random(36)}`, `AQ.Ab8RN6${random(44)}`];
    const prose = `Here is my API key: ${key}, please put it into the settings. ${gemini}.`;
    const { log, database } = home.workspace();
    home.operate(`
      UPDATE events SET payload_json = replace(payload_json, 'the text of part', 'x_${token} ${prose}'),
        session_id = 's-${token}', tool = 'run_${token}', tool_use_id = id || '-${token}', turn_id = 't_${token}';
      UPDATE summaries SET text = '${prose}', terms = 'feature/${token}';
      DELETE FROM summaries_fts;
      INSERT INTO summaries_fts (rowid, text, terms) SELECT id, text, terms FROM summaries;
      UPDATE digests SET session_id = 's-${token}', text = '${prose}';`);
    const event = {
      ...{ id: 'ev_old', tool: `run_${token}`, input: { command: `git switch fix-${token}` }, output: prose },
      ...{ sessionId: `s-${token}`, toolUseId: `call-${token}`, ts: '2026-01-01T00:00:00.000Z' },
      ...{ client: 'generic' as const, isError: false, cwd: null },
    };
    fs.writeFileSync(log, encodeRecord(event), { mode: 0o600 });
    const exported = path.join(path.dirname(database), 'restore-20260101T000000.000Z.ndjson');
    await home.mem(['export', exported]);
    expect(filesWith(home.home, token, key, gemini).length).toBeGreaterThan(2);
    expect(await doctor(home, '--fix')).toMatchObject({ code: 0, ok: true });
    expect(filesWith(home.home, token, key, gemini)).toEqual([]);
    const { stdout } = await home.mem(['export']);
    expect(stdout).toContain('<redacted:');
    expect(stdout).not.toMatch(/ghp_|AQ\.Ab8|kT4/);
  });

  test('are scrubbed with a running daemon by stopping it, and it runs again afterwards', async () => {
    const home = await summarised();
    const pid = await home.start();
    plant(home);
    const fixed = await doctor(home, '--fix');
    expect(fixed).toMatchObject({ code: 0, ok: true });
    expect(fixed.stderr).toContain(`memd: the daemon (pid ${pid}) was stopped for the repair`);
    expect(fixed.stderr).toContain('memd: the daemon was started again');
    expect(home.daemons()).toEqual([home.pid()]);
    expect(home.pid()).not.toBe(pid);
    expect(filesWith(home.home, secret, password)).toEqual([]);
    // The vectors that went are made again, and what waited in the log and the spool is stored.
    await home.memd(['drain']);
    expect(await home.info()).toMatchObject({ counts: { summaries: 6, embeddings: 6 } });
  });

  test('stay where another process holds the database, and the refusal says what to do', async () => {
    const home = await summarised();
    home.operate(`UPDATE summaries SET text = 'key ${secret}'`);
    const other = new DatabaseSync(home.workspace().database);
    try {
      other.exec('BEGIN IMMEDIATE');
      const { code, stderr } = await home.memd(['doctor', '--fix']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^memd: another process is using .+\. .+ run `memd doctor --fix`\.\n$/);
    } finally {
      other.close();
    }
    expect(await doctor(home, '--fix')).toMatchObject({ code: 0, ok: true });
  });
});

test('what mem forget removes leaves no byte in the database, its free pages and its log', async () => {
  const home = await summarised();
  const word = ['quux', 'forgettable', '93'].join('');
  home.operate(
    `UPDATE events SET payload_json = replace(payload_json, 'the text', '${word.repeat(800)}') WHERE seq = 2`,
  );
  home.operate(`UPDATE events SET status = 'raw' WHERE seq = 2`);
  await home.memd(['drain']);
  await home.start();
  expect(filesWith(home.home, word)).not.toEqual([]);
  expect(await home.mem(['forget', '2'])).toMatchObject({ code: 0 });
  expect(filesWith(home.home, word)).toEqual([]);
  expect(home.rows('SELECT id FROM summaries ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
});

describe('a workspace', () => {
  test('without problems is reported in one line, with or without a daemon', async () => {
    const home = await summarised();
    const without = await home.memd(['doctor']);
    expect(without).toMatchObject({ code: 0, stderr: '' });
    expect(without.stdout).toMatch(
      /^note +daemon: The daemon is not running: .+\. Run `memd start`\.\nnote +models: .+\nNo problems found \(.+\)\.\n$/,
    );
    await home.start();
    const { code, stdout, stderr } = await home.memd(['doctor', '--fix']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^note +models: No local model answers; .+\nNo problems found \(\d+ checks, .+\)\.\n$/,
    );
  });

  test('that was never used has no problems', async () => {
    const home = Home.open({ config: null });
    expect(await doctor(home)).toMatchObject({ code: 0, ok: true });
    expect(await doctor(home, '--fix')).toMatchObject({ code: 0, ok: true, mended: [] });
    expect(fs.existsSync(home.workspace().base)).toBe(false);
  });

  test('whose folders and files are open to others is closed by --fix', async () => {
    const home = await summarised();
    const { folder, database, config, log } = home.workspace();
    fs.chmodSync(folder, 0o755);
    fs.chmodSync(database, 0o644);
    fs.chmodSync(config, 0o664);
    expect(wrongs(await doctor(home))).toHaveLength(3);
    expect(await doctor(home, '--fix')).toMatchObject({ code: 0, ok: true });
    const mode = (file: string): number => fs.statSync(file).mode & 0o777;
    expect([folder, database, config, log].map(mode)).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  test('with a link where a file should be is reported, and nothing is written through it', async () => {
    const home = await summarised();
    plant(home);
    const { database } = home.workspace();
    const elsewhere = path.join(home.folder, 'elsewhere.sqlite');
    fs.renameSync(database, elsewhere);
    fs.symlinkSync(elsewhere, database);
    const before = fs.readFileSync(elsewhere);
    const fixed = await doctor(home, '--fix');
    expect(fixed).toMatchObject({ code: 1, ok: false, mended: [] });
    expect(wrongs(fixed)).toContainEqual(`modes: ${database} is a symbolic link`);
    expect(fs.readFileSync(elsewhere).equals(before)).toBe(true);
  });

  test('whose daemon hangs is reported, and --fix ends it and starts a new one', async () => {
    const home = await summarised();
    const pid = await home.start();
    process.kill(pid, 'SIGSTOP');
    expect(wrongs(await doctor(home))).toEqual([`daemon: pid ${pid}`]);
    expect(await doctor(home, '--fix')).toMatchObject({ code: 0, ok: true, mended: [{ code: 'daemon' }] });
    expect(home.daemons()).toEqual([home.pid()]);
    expect(home.pid()).not.toBe(pid);
  });

  test('with skipped events shows their number and reasons, without secrets', async () => {
    const home = await summarised();
    home.operate(
      `UPDATE events SET status = 'skipped', last_error = 'bad payload of ${secret}' WHERE seq < 3`,
    );
    home.operate("UPDATE events SET status = 'skipped', last_error = 'torn' WHERE seq = 3");
    const { findings } = await doctor(home);
    expect(findings.find(({ code }) => code === 'skipped-rows')).toMatchObject({
      severity: 'warning',
      detail: '3 in all; 2 x bad payload of <redacted:aws-access-key>; 1 x torn',
    });
  });
});

test('an unknown option is a usage error', async () => {
  const home = Home.open();
  expect(await home.memd(['doctor', '--repair'])).toMatchObject({ code: 2, stdout: '' });
});
