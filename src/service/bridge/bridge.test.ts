import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exchange, requestText, testBridges } from '../../../test/support/bridge/bridge.ts';

const open = testBridges();

test('no request changes a byte of the database or its log', async () => {
  const one = await open(30);
  const bytes = () =>
    ['db.sqlite', 'db.sqlite-wal'].map((name) =>
      createHash('sha256')
        .update(fs.readFileSync(path.join(one.folder, name)))
        .digest('hex'),
    );
  const before = bytes();
  const targets = [
    'status',
    'summaries',
    'summaries/1',
    'tools',
    'sessions',
    'graph?id=1',
    'nope',
    'search',
    'why',
  ];
  for (const target of targets) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const headers = [`Host: 127.0.0.1:${one.bridge.port}`, `Authorization: Bearer ${one.token}`];
      const body = method === 'GET' || method === 'HEAD' ? '' : '{"query":"did","id":1}';
      await exchange(one.bridge.port, requestText({ method, target: `/api/${target}`, headers, body }));
    }
  }
  expect(bytes()).toEqual(before);
});

test('an answer that is due is given before it ends; who asks nothing is not waited for', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = (): void => {};
  const asked = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const one = await open(1, {
    sources: {
      projects: async () => ({ projects: [] }),
      status: async () => ({}),
      why: async () => null,
      states: async () => new Map(),
      standing: async () => ({}),
      standings: async () => new Map(),
      search: async () => {
        begun();
        await held;
        return { hits: [] };
      },
    },
  });
  const headers = { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' };
  const answer = fetch(`${one.bridge.url}/api/search`, { method: 'POST', headers, body: '{"query":"x"}' });
  await asked;
  const closing = one.bridge.close();
  release();
  expect((await answer).status).toBe(200);
  await closing;
});

test('the port file is there as long as the bridge listens', async () => {
  const one = await open(1);
  const file = path.join(one.folder, 'http.port');
  expect(fs.readFileSync(file, 'utf8')).toBe(`${one.bridge.port}\n`);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  await one.bridge.close();
  expect(fs.existsSync(file)).toBe(false);
});
