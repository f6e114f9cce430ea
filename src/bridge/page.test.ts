import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { authorized, get, type TestBridge, testBridges } from './bridge-for-tests.ts';

const open = testBridges();

describe('the page', () => {
  test('is three files, with the token', async () => {
    const one = await open(1);
    for (const [target, type, text] of [
      ['/', 'text/html', '<title>page'],
      ['/assets/app.js', 'text/javascript', 'export'],
      ['/assets/app.css', 'text/css', 'body'],
    ] as const) {
      const response = await fetch(one.bridge.url + target, { headers: authorized(one) });
      expect(response.headers.get('content-type')).toContain(type);
      expect(await response.text()).toContain(text);
    }
  });

  test('without the token is a page that holds no secret and loads nothing by itself', async () => {
    const one = await open(1);
    const response = await fetch(`${one.bridge.url}/`);
    const text = await response.text();
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="memd"']);
    expect(text).not.toContain(one.token);
    expect(text).toContain('<div id="app"></div>');
    expect(text).not.toMatch(/https?:|src=|@import|url\(/);
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const [tag, directive] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ]) {
      const [, inline = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? [];
      const hash = createHash('sha256').update(inline).digest('base64');
      expect(policy).toContain(`${directive} 'sha256-${hash}' blob:;`);
    }
  });

  test('is read at the start: files that change or come later are not served', async () => {
    const one = await open(1);
    fs.writeFileSync(path.join(one.folder, 'web/assets/late.js'), 'late');
    fs.writeFileSync(path.join(one.folder, 'web/assets/app.js'), 'changed');
    await get(one, '/assets/late.js', 404);
    const response = await fetch(`${one.bridge.url}/assets/app.js`, { headers: authorized(one) });
    expect(await response.text()).toBe('export {};');
  });
});

describe('unlocking', () => {
  const unlock = (one: TestBridge, bearer: string, method = 'POST') =>
    fetch(`${one.bridge.url}/api/unlock`, { method, headers: { authorization: `Bearer ${bearer}` } });

  test('a code is traded for the token, once', async () => {
    const one = await open(1);
    const code = one.bridge.unlockCode();
    const response = await unlock(one, code);
    expect(await response.json()).toEqual({ token: one.token });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await unlock(one, code)).status).toBe(401);
  });

  test('a code opens nothing else, and the token is no code', async () => {
    const one = await open(1);
    const code = one.bridge.unlockCode();
    const response = await fetch(`${one.bridge.url}/api/status`, {
      headers: { authorization: `Bearer ${code}` },
    });
    expect(response.status).toBe(401);
    expect((await unlock(one, one.token)).status).toBe(401);
    expect((await unlock(one, one.token, 'GET')).status).toBe(405);
    expect((await unlock(one, code, 'GET')).status).toBe(401);
    expect((await unlock(one, code)).status).toBe(200);
  });

  test('another site cannot spend a code', async () => {
    const one = await open(1);
    const code = one.bridge.unlockCode();
    const headers = { authorization: `Bearer ${code}`, origin: 'https://evil.example' };
    expect((await fetch(`${one.bridge.url}/api/unlock`, { method: 'POST', headers })).status).toBe(403);
    expect((await unlock(one, code)).status).toBe(200);
  });
});
