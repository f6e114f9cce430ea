import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  authorized,
  bodyOf,
  get,
  type TestBridge,
  testBridges,
} from '../../../test/support/bridge/bridge.ts';

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

  test('a code that is brought again gives a new token: the former is refused, streams are ended', async () => {
    let rotated = 0;
    const one = await open(1, { rotated: () => (rotated += 1) });
    const stream = await fetch(`${one.bridge.url}/api/stream`, { headers: authorized(one) });
    const [code, later] = [one.bridge.unlockCode(), one.bridge.unlockCode()];
    await unlock(one, code);
    const again = await unlock(one, code);
    expect([again.status, (await bodyOf(again)).error.code]).toEqual([401, 'code_used']);
    await stream.text();
    expect((await fetch(`${one.bridge.url}/api/status`, { headers: authorized(one) })).status).toBe(401);
    const token = fs.readFileSync(path.join(one.folder, 'auth.token'), 'utf8');
    expect(token).not.toBe(one.token);
    expect(await (await unlock(one, later)).json()).toEqual({ token });
    // It is no news any more.
    expect((await bodyOf(await unlock(one, code))).error.code).toBe('unauthorized');
    expect([rotated, fs.readFileSync(path.join(one.folder, 'auth.token'), 'utf8')]).toEqual([1, token]);
  });

  test('texts that were never codes change nothing', async () => {
    const one = await open(1, { rotated: () => expect.unreachable() });
    const late = one.bridge.unlockCode();
    for (const text of ['0'.repeat(64), 'x', late.slice(1), one.token, '0'.repeat(64)])
      expect((await bodyOf(await unlock(one, text))).error.code).toBe('unauthorized');
    await get(one, '/api/status');
  });

  test('a redirect file is private, holds the code, and is gone when the code is used or the bridge is closed', async () => {
    const one = await open(1);
    const [used, left] = [one.bridge.unlockFile(), one.bridge.unlockFile()];
    expect([used, left].map((file) => fs.statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    const [, code = ''] = /#code=([0-9a-f]{64})/.exec(fs.readFileSync(used, 'utf8')) ?? [];
    expect(await (await unlock(one, code)).json()).toEqual({ token: one.token });
    expect([used, left].map((file) => fs.existsSync(file))).toEqual([false, true]);
    await one.bridge.close();
    expect(fs.existsSync(left)).toBe(false);
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
