import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeRecord } from '#capture/log';
import type { Json } from '#core/event';
import { ensureFolders, findWorkspace, type Workspace } from '#core/workspace';
import { openStore } from '#memory/store';
import { storedSecrets } from './stored-secrets.ts';

/** Characters without a pattern, made at run time. */
function fill(set: 'alnum' | 'base64', length: number, seed = 1): string {
  const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${set === 'base64' ? '+/' : ''}`;
  return Array.from(
    { length },
    (_, at) => alphabet[(at * at * 7 + at * 31 * seed + seed) % alphabet.length],
  ).join('');
}

const secret = `DB_PASSWORD=${['tangerine', 'submarine', '47'].join('-')}`;
let folder: string;
let workspace: Workspace;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-stored-'));
  workspace = findWorkspace({ HOME: folder }, folder);
  ensureFolders(workspace);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const subject = () => ({ workspace, version: '1.0.0', env: {}, progress: () => {} });

/** A database with a secret in it, of a schema that this program does not know where `isNewer`. */
function database(file: string, isNewer: boolean): void {
  const store = openStore(file);
  store.connection.run("INSERT INTO settings VALUES ('focus', ?)", `rotate ${secret}`);
  if (isNewer) store.connection.exec('PRAGMA user_version = 999');
  store.close();
}

const words = 'the merger closes on Friday';
const value = fill('alnum', 24);
const keyLines = [3, 5, 7].map((seed) => fill('base64', 64, seed));
const patch = (...lines: string[]): Json => ({ structuredPatch: [{ oldStart: 1, lines }] });

/** What a memd stored that redacted each string alone: the payload, and the summary that it made of it. */
const stored: readonly (readonly [output: Json, summary: string])[] = [
  [patch(' a', '+<redacted:private>', `+${words}`, '+</private>'), `Edited n.md: ${words.slice(0, 18)}`],
  [
    patch(`------BEGIN PRIVATE ${'KEY'}-----`, ...keyLines.map((line) => `-${line}`)),
    `Edited n.md: ${keyLines[1]}`,
  ],
  [[`-----BEGIN PRIVATE ${'KEY'}-----`, ...keyLines].join('\n-'), `3 lines: ${keyLines[0]?.slice(0, 40)}`],
  [patch('+kind: Secret', '+data:', `+  config: ${value}`), `config is ${value}`],
  [JSON.stringify({ kind: 'Secret', data: { config: value } }, null, 2), `kind “Secret”, config “${value}”`],
  ['fine', `as said before: ${keyLines[2]}`],
];

test('what was stored of a text in pieces is found and leaves no byte: payloads, summaries, index, log', async () => {
  const store = openStore(workspace.database);
  for (const [at, [output, summary]] of stored.entries()) {
    const call = { tool: 'Edit', input: { file_path: '/p/n.md' }, sessionId: 's', toolUseId: null };
    const payload = {
      ...call,
      output,
      ts: `2026-01-0${at + 1}T00:00:00.000Z`,
      client: 'generic',
      isError: false,
      cwd: null,
    };
    const ids = [`ev_${at}`, payload.ts];
    store.connection.run(
      `INSERT INTO events (id, ts, session_id, tool, payload_json, status) VALUES (?, ?, 's', 'Edit', ?, 'summarized')`,
      ...ids,
      JSON.stringify(payload),
    );
    store.connection.run(
      `INSERT INTO summaries (event_id, ts, text, terms, model) VALUES (?, ?, ?, ?, 'builtin-1')`,
      ...ids,
      summary,
      summary,
    );
    const event = { id: `ev_w${at}`, ...payload, client: 'generic' as const };
    fs.appendFileSync(workspace.log, encodeRecord(event), { mode: 0o600 });
  }
  store.connection.exec("INSERT INTO summaries_fts (summaries_fts) VALUES ('rebuild')");
  store.close();
  const secrets = [words.slice(0, 18), value, ...keyLines.map((line) => line.slice(0, 40))];
  const look = () => storedSecrets.run({ ...subject(), info: async () => null });
  expect((await look()).map((one) => one.detail?.replace(/ \(.*/, ''))).toEqual([
    'events: 5 rows',
    'summaries: 6 rows',
    'wal.ndjson: 5 lines',
  ]);
  await storedSecrets.fix?.run(subject());
  expect(await look()).toEqual([]);
  const left = fs.readdirSync(workspace.folder).filter((name) => {
    const file = path.join(workspace.folder, name);
    return fs.statSync(file).isFile() && secrets.some((one) => fs.readFileSync(file).includes(one));
  });
  expect(left).toEqual([]);
});

test('a place that cannot be looked through, or scrubbed, hides and hinders none of the others', async () => {
  const [newer, older] = [`${workspace.database}.schema-1.backup`, `${workspace.database}.schema-2.backup`];
  database(workspace.database, true);
  database(newer, true);
  database(older, false);
  fs.writeFileSync(workspace.log, `${secret}\n`);
  const look = () => storedSecrets.run({ ...subject(), info: async () => null });
  const unchecked = [
    { detail: expect.stringMatching(/^the database: .*has schema 999/), isFixable: false },
    { detail: expect.stringMatching(/^db\.sqlite\.schema-1\.backup: .*has schema 999/), isFixable: false },
  ];
  const [databaseFound, ...others] = await look();
  expect([databaseFound, others[1]]).toMatchObject(unchecked);
  expect([others[0], others[2]].map((one) => one?.detail)).toEqual([
    'wal.ndjson: 1 line (env 1)',
    'db.sqlite.schema-2.backup: 1 place (env 1)',
  ]);
  await expect(storedSecrets.fix?.run(subject())).rejects.toThrow('has schema 999');
  expect(await look()).toMatchObject(unchecked);
  expect(fs.readFileSync(workspace.log, 'utf8')).toBe('DB_PASSWORD=<redacted:env>\n');
});
