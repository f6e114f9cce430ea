import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { accountForm } from '../../src/memory/account/account.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';
import { Daemon } from './daemon.ts';
import { writeFirstRelease } from './first-release.ts';
import { Random } from './random.ts';

/**
 * A database of an earlier release is upgraded by a daemon that is killed again and again: in the copy, in the migration, between two
 * accounts. MEMD_UPGRADE_FROM names another database, MEMD_UPGRADE_SEEDS how many seeds are played, MEMD_UPGRADE_KILLS how often each is
 * killed.
 */
const { MEMD_UPGRADE_FROM, MEMD_UPGRADE_SEEDS = '3', MEMD_UPGRADE_KILLS } = process.env;
const seeds = Array.from({ length: Number(MEMD_UPGRADE_SEEDS) }, (_, at) => at + 1);
const timeout = MEMD_UPGRADE_FROM === undefined ? 300_000 : 7_200_000;
const sessionsMade = 24;
const killsMax = Number(MEMD_UPGRADE_KILLS ?? 2);
/** What is left of the work after each kill is less. */
const share = Math.min(1, 2 / killsMax);
const betweenUsesMs = 50;
const lookMs = 20;
const waitsMax = MEMD_UPGRADE_FROM === undefined ? 2 : 30;
/** What a start, the first vectors and edges commit before the accounts. */
const otherCommits = 10;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-earlier-'));
const earlier = path.join(folder, 'db.sqlite');
let sessions = 0;
let whole: ReturnType<typeof stateOf>;
let startMs = 0;
let upgradeMs = 0;
const deaths: string[] = [];
const waits = { capture: [] as number[], search: [] as number[] };

beforeAll(async () => {
  if (MEMD_UPGRADE_FROM === undefined) writeFirstRelease(earlier, sessionsMade);
  else
    for (const part of ['', '-wal'])
      if (fs.existsSync(MEMD_UPGRADE_FROM + part)) fs.copyFileSync(MEMD_UPGRADE_FROM + part, earlier + part);
  const database = new DatabaseSync(earlier);
  const count = "SELECT count(DISTINCT session_id) AS n FROM events WHERE session_id <> ''";
  sessions = Number(database.prepare(count).get()?.n);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const home = homeWith(earlier);
  const began = performance.now();
  const daemon = Daemon.spawn(home, '');
  expect(await daemon.ready()).toBe(true);
  startMs = performance.now() - began;
  expect(await upgraded(home, daemon)).toBe(true);
  upgradeMs = performance.now() - began;
  expect(await daemon.end('SIGTERM')).toBe('exit 0');
  whole = stateOf(home);
}, timeout);
afterEach(closeHomes);
afterAll(async () => {
  await closeHomes();
  fs.rmSync(folder, { recursive: true, force: true });
  const longest = (times: readonly number[]): string =>
    `${times.length}, the longest ${Math.max(0, ...times).toFixed(0)} ms`;
  console.log(
    `upgrade: ${sessions} sessions, ${startMs.toFixed(0)} ms to serve and ${upgradeMs.toFixed(0)} ms to the last account without a kill; killed ${deaths.length} times (${deaths.join(', ')}); captures: ${longest(waits.capture)}; searches: ${longest(waits.search)}`,
  );
  expect(leftBehind()).toEqual([]);
});

function homeWith(database: string): Home {
  const drain = { backend: 'builtin', tickMs: MEMD_UPGRADE_FROM === undefined ? 100 : 2_000 };
  const home = Home.open({ config: { idleMinutes: 0, drain, retention: { payloadDays: 100_000 } } });
  const workspace = home.workspace();
  fs.mkdirSync(workspace.folder, { recursive: true, mode: 0o700 });
  fs.copyFileSync(database, workspace.database);
  fs.chmodSync(workspace.database, 0o600);
  return home;
}

/** How many accounts of this form there are; none before the migration. */
function accountsIn(home: Home): number {
  try {
    const [row] = home.rows(
      `SELECT count(*) AS n FROM accounts WHERE form = ${accountForm} AND ${isEarlier}`,
    );
    return Number(row?.n);
  } catch (error) {
    if (/no such table|locked|readonly|unable to open/.test(String(error))) return 0;
    throw error;
  }
}

const isEarlier = "session_id NOT LIKE 'live-%'";

/** Settles with the last account, or with false when the daemon ends before. The limit of the test is the only one: a large database takes long. */
async function upgraded(home: Home, daemon: Daemon): Promise<boolean> {
  while (!daemon.hasEnded && accountsIn(home) < sessions) await pause(lookMs);
  return !daemon.hasEnded;
}

/** Captures and searches until `isOver`, or until the daemon is gone. Returns what was refused. */
async function use(home: Home, name: string, kept: Set<string>, isOver: () => boolean): Promise<string[]> {
  const refused: string[] = [];
  const wire = await Wire.open(home.workspace().socket).catch(() => null);
  const ask = async (what: keyof typeof waits, request: JsonObject): Promise<JsonObject | null> => {
    const began = performance.now();
    wire?.send(`${JSON.stringify(request)}\n`);
    const line = wire === null ? null : await lineOf(wire);
    if (line === null) return null;
    waits[what].push(performance.now() - began);
    const reply: JsonObject = JSON.parse(line);
    if (reply.ok !== true) refused.push(line);
    return reply;
  };
  for (let at = 0; !isOver(); at += 1) {
    const id = `${name}-${at}`;
    const call = { tool: 'Read', input: { file_path: `${id}.ts` }, output: id, toolUseId: id };
    const taken = await ask('capture', { op: 'capture', ...call, sessionId: `live-${name}` });
    if (taken?.ok === true) kept.add(id);
    const found = await ask('search', { op: 'search', query: 'mill test file' });
    if (found === null) break;
    if (!Array.isArray(found.hits) || found.hits.length === 0) refused.push('a search found nothing');
    await pause(betweenUsesMs);
  }
  wire?.close();
  return refused;
}

/** A busy machine may need more than one wait of the wire. */
async function lineOf(wire: Wire, waits = waitsMax): Promise<string | null> {
  return wire.line().catch((error: unknown) => {
    if (waits <= 1) throw error;
    return lineOf(wire, waits - 1);
  });
}

/** Uses a daemon while it upgrades. */
async function inUse(
  home: Home,
  daemon: Daemon,
  name: string,
  kept: Set<string>,
): Promise<{ isWhole: boolean; refused: string[] }> {
  const end = { isOver: false };
  const using = use(home, name, kept, () => end.isOver);
  const upgrading = upgraded(home, daemon).finally(() => {
    end.isOver = true;
  });
  const [isWhole, refused] = await Promise.all([upgrading, using]);
  return { isWhole, refused };
}

/** One daemon in use, which is killed at a point that `random` draws, if the upgrade does not end before. */
async function killed(
  home: Home,
  random: Random,
  nth: number,
  name: string,
  kept: Set<string>,
): Promise<string[]> {
  // At a commit, or at any moment of the start, which copies and migrates, or of all.
  const withinMs = [null, startMs, upgradeMs * share][nth % 3] ?? null;
  const faults = `store.commit.${random.one(['before', 'after'])}@${random.whole(otherCommits, otherCommits + Math.ceil(sessions * share))}=kill`;
  const daemon = Daemon.spawn(home, withinMs === null ? faults : '');
  const timer = withinMs === null ? null : setTimeout(() => daemon.kill('SIGKILL'), random.next() * withinMs);
  const isReady = await daemon.ready();
  const { isWhole, refused } = isReady
    ? await inUse(home, daemon, name, kept)
    : { isWhole: false, refused: [] };
  if (timer !== null) clearTimeout(timer);
  expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
  deaths.push(isWhole ? 'at its end' : isReady ? `${accountsIn(home)} accounts` : 'before it served');
  return refused;
}

test.each(seeds)(
  'seed %i: killed at random points, it ends as one that was not killed',
  { timeout },
  async (seed) => {
    const random = new Random(seed);
    const home = homeWith(earlier);
    const kept = new Set<string>();
    for (let kill = random.whole(MEMD_UPGRADE_KILLS ? killsMax : 1, killsMax); kill > 0; kill -= 1)
      expect(await killed(home, random, seed + kill, `s${seed}-${kill}`, kept)).toEqual([]);
    const daemon = Daemon.spawn(home, '');
    expect(await daemon.ready()).toBe(true);
    const { isWhole, refused } = await inUse(home, daemon, `s${seed}-last`, kept);
    expect({ isWhole, refused }).toEqual({ isWhole: true, refused: [] });
    const stored = () =>
      home.rows("SELECT tool_use_id AS id FROM events WHERE session_id LIKE 'live-%' ORDER BY seq");
    await until('what was captured', () => stored().length >= kept.size);
    expect(await daemon.end('SIGTERM')).toBe('exit 0');
    expect(stored().map(({ id }) => id)).toEqual(expect.arrayContaining([...kept]));
    expect(new Set(stored().map(({ id }) => id)).size).toBe(stored().length);
    expect(stateOf(home)).toEqual(whole);
    expect(fs.readdirSync(home.workspace().folder).filter((name) => /\.tmp|corrupt/.test(name))).toEqual([]);
  },
);

/** What an upgrade must end with, whatever happened on its way. */
function stateOf(home: Home) {
  const { database } = home.workspace();
  const [check] = home.rows('PRAGMA integrity_check');
  const [version] = home.rows('PRAGMA user_version');
  const backups = fs.readdirSync(path.dirname(database)).filter((name) => name.endsWith('.backup'));
  const copy = new DatabaseSync(path.join(path.dirname(database), backups.join()), { readOnly: true });
  const backup = copy.prepare('SELECT count(*) AS n FROM events').get();
  copy.close();
  return {
    ...{ check, version, backup },
    events: contentOf(
      home,
      `SELECT seq, id, ts, tool, payload_json, status, kind FROM events WHERE ${isEarlier} ORDER BY seq`,
    ),
    summaries: contentOf(
      home,
      `SELECT s.id, s.text, s.terms, s.pinned FROM summaries s JOIN events e ON e.id = s.event_id WHERE ${isEarlier} ORDER BY s.id`,
    ),
    prompts: home.rows('SELECT * FROM prompts ORDER BY id'),
    digests: home.rows(
      `SELECT session_id, text, terms, last_seq, pinned FROM digests WHERE ${isEarlier} ORDER BY 1`,
    ),
    accounts: home.rows(`SELECT session_id, form, account FROM accounts WHERE ${isEarlier} ORDER BY 1`),
  };
}

/** The rows; of a large database their hash. */
function contentOf(home: Home, sql: string) {
  if (MEMD_UPGRADE_FROM === undefined) return home.rows(sql);
  const database = new DatabaseSync(home.workspace().database, { readOnly: true });
  const content = createHash('sha256');
  for (const row of database.prepare(sql).iterate()) content.update(JSON.stringify(row));
  database.close();
  return content.digest('hex');
}
