import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ForgottenTable, openStore, type Store } from '#memory/store';
import { Calls } from '../../../test/support/account/events.ts';
import { Digester, type DigestRun } from './digester.ts';
import { SessionAccounts } from './read-accounts.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-failed-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const all = (): DigestRun => ({ quietSince: null, signal: new AbortController().signal });
const text = (session: string): string | undefined => store.digests.get(session)?.text;
const written = (session: string): Calls =>
  ['a', 'b', 'c'].reduce(
    (calls, file) => calls.write(`${session}-${file}.ts`, 'const a = 1;'),
    new Calls(session),
  );

describe('a session whose events cannot be read', () => {
  const said: string[] = [];
  const digester = () =>
    new Digester(store, (message, { session, error }) => said.push(`${message}: ${session}: ${error}`));
  const damage = (seq: number, column = 'payload_json') =>
    store.connection.run(`UPDATE events SET ${column} = x'00' WHERE seq = ?`, seq);
  beforeEach(() => {
    said.length = 0;
    for (const session of ['mill', 'bakery', 'forge']) store.events.insert(written(session).events);
  });

  it.each(['payload_json', 'ts'])(
    'costs no other one its account, is reported once and not tried again (%s)',
    async (column) => {
      damage(5, column);
      const one = digester();
      expect([await one.run(all()), await one.run(all())]).toEqual([2, 0]);
      await one.write('bakery', all().signal);
      // Another start.
      expect(await digester().run(all())).toBe(0);
      expect(['mill', 'bakery', 'forge'].map((session) => text(session) !== undefined)).toEqual([
        true,
        false,
        true,
      ]);
      expect(said).toEqual([expect.stringMatching(/^the account of a session failed: bakery: /)]);
      expect(new SessionAccounts(store).of('bakery')).toBeNull();
    },
  );

  it('is tried again when its events are others, by itself and in a run', async () => {
    damage(5);
    const one = digester();
    await one.run(all());
    const later = new Calls('bakery').write('late.ts', 'const b = 2;').events;
    store.events.insert(later.map((event) => ({ ...event, id: 'late', toolUseId: 'late' })));
    await one.write('bakery', all().signal);
    expect(said).toHaveLength(2);
    store.connection.run('DELETE FROM events WHERE seq = 5');
    new ForgottenTable(store).add(['ev_5'], '2026-01-02T00:00:00.000Z');
    expect(await one.run(all())).toBe(1);
    expect(text('bakery')).toContain('late.ts');
    await digester().run(all());
    expect(store.settings.get('accounts.failed')).toBeNull();
  });

  it('does so as an account of an earlier version, whose digest stays', async () => {
    await digester().run(all());
    store.connection.run('UPDATE accounts SET form = form - 1');
    damage(5);
    const former = text('bakery');
    expect(await digester().run(all())).toBe(2);
    expect([text('bakery'), said.length]).toEqual([former, 1]);
    // By another version.
    store.settings.set(
      'accounts.failed',
      store.settings.get('accounts.failed')?.replace(/ \S+ \d+"/, ' 0.0.1 1"') ?? '',
    );
    expect(await digester().run(all())).toBe(0);
    expect(said).toHaveLength(2);
  });
});
