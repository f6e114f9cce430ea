import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SessionAccounts } from '#memory/account';
import { openStore } from '#memory/store';
import { Calls } from '../../../test/support/account/events.ts';
import { placed } from './places.ts';

test('the command that a question asks for is of the whole project: a narrower search has none', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-places-'));
  const store = openStore(path.join(folder, 'db.sqlite'));
  try {
    store.events.insert(new Calls('mill').run('npm test', '12 passed').events);
    const parts = { store, accounts: new SessionAccounts(store) };
    const of = (more: object) => placed({ hits: [] }, { query: 'test command', ...more }, parts);
    for (const more of [{}, { failed: false }])
      expect(of(more)).toMatchObject({ recipe: { command: 'npm test' } });
    for (const more of [{ skip: 10 }, { session: 'mill' }, { failed: true }, { until: '2026-01-01' }])
      expect(of(more)).toEqual({ hits: [] });
  } finally {
    store.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
