import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/index.ts';
import { ensureFolders, findWorkspace, type Workspace } from '../workspace/index.ts';
import { storedSecrets } from './stored-secrets.ts';

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

test('a place that cannot be looked through, or scrubbed, hides and hinders none of the others', async () => {
  const [newer, older] = [`${workspace.database}.schema-1.backup`, `${workspace.database}.schema-2.backup`];
  database(workspace.database, true);
  database(newer, true);
  database(older, false);
  fs.writeFileSync(workspace.log, `${secret}\n`);
  const look = () => storedSecrets.look({ ...subject(), running: async () => null });
  const unseen = [
    { detail: expect.stringMatching(/^the database: .*has schema 999/), isMendable: false },
    { detail: expect.stringMatching(/^db\.sqlite\.schema-1\.backup: .*has schema 999/), isMendable: false },
  ];
  const [databaseFound, ...others] = await look();
  expect([databaseFound, others[1]]).toMatchObject(unseen);
  expect([others[0], others[2]].map((one) => one?.detail)).toEqual([
    'wal.ndjson: 1 line (env 1)',
    'db.sqlite.schema-2.backup: 1 place (env 1)',
  ]);
  await expect(storedSecrets.mend?.run(subject())).rejects.toThrow('has schema 999');
  expect(await look()).toMatchObject(unseen);
  expect(fs.readFileSync(workspace.log, 'utf8')).toBe('DB_PASSWORD=<redacted:env>\n');
});
