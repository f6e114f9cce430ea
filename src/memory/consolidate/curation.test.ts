import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#core/config';
import { openStore, type Store } from '#memory/store';
import { Consolidator } from './consolidator.ts';

const never = new AbortController().signal;
let folder: string;
let store: Store;
let consolidator: Consolidator;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-consolidate-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  const file = path.join(folder, 'config.json');
  fs.writeFileSync(file, '{"drain": {"backend": "builtin"}}', { mode: 0o600 });
  const env = { LOCALLLM_HOST: 'http://127.0.0.1:1' };
  const { config } = loadConfig(file, env);
  consolidator = new Consolidator({ store, config, env, report: () => {} });
});
afterEach(async () => {
  await consolidator.close();
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

function capture(...minutes: readonly number[]): void {
  store.events.insert(
    minutes.map((minute) => ({
      id: `ev_${minute}`,
      tool: 'Bash',
      input: { command: 'ls src' },
      output: 'cart.ts\ntax.ts',
      sessionId: 's',
      toolUseId: `call_${minute}`,
      ts: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      client: 'generic',
      isError: false,
      cwd: '/p',
    })),
  );
}

const edgesStored = (): number => Number(store.connection.get('SELECT count(*) AS n FROM edges')?.n);

test('a drain and a tick curate what they have summarised', async () => {
  capture(1, 2);
  expect(await consolidator.drain(null, never)).toEqual({ processed: 2 });
  expect(edgesStored()).toBe(1);
  capture(3);
  await consolidator.tick(never);
  expect(edgesStored()).toBe(2);
});

test('a tick curates what was left, though nothing waits to be summarised', async () => {
  capture(1, 2);
  await consolidator.drain(null, never);
  store.connection.exec('DELETE FROM edges; UPDATE summaries SET curated = 0');
  await consolidator.tick(never);
  expect(edgesStored()).toBe(1);
});

test('a curation that fails is no failed drain', async () => {
  capture(1, 2);
  store.connection.exec('ALTER TABLE subjects RENAME TO subjects_away');
  store.connection.exec('CREATE TABLE subjects (summary_id INTEGER)');
  expect(await consolidator.drain(null, never)).toEqual({ processed: 2 });
  expect(edgesStored()).toBe(0);
});
