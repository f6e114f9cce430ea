import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '#core/platform';
import { addressOf, holdsCredential } from './address.ts';
import { lastLine } from './git.ts';

const secret = 'Qz8fKw2mVx4Lp7w';

describe('an address', () => {
  test.each([
    `https://${secret}@example.com/x.git`,
    `https://kim@example.com/x.git`,
    `https:/${secret}@example.com/x.git`,
    `https:${secret}@example.com`,
    `https:\\\\kim:${secret}@example.com`,
    `https:///kim:${secret}@example.com/x`,
    `"https://kim:${secret}@example.com/x.git"`,
    `<https://kim:${secret}@example.com/x.git>`,
    `url=https://kim:${secret}@example.com/x.git`,
    `//kim:${secret}@example.com/x.git`,
    `/kim:${secret}@example.com/x.git`,
    `./kim:${secret}@example.com/x.git`,
    `kim:${secret}@example.com/x.git`,
    `${secret}@example.com/x.git`,
    `${secret}@example.com:x.git`,
    `https://kim：${secret}＠example.com/x.git`,
    `kim:${secret}＠example.com`,
    `https://example.com/key=${secret}/x.git`,
    `https://example.com/x.git;token=${secret}`,
    `https://example.com/x.git?${secret}`,
    `https://example.com/x.git#${secret}`,
    `https://kim%3A${secret}%40example.com/x.git`,
    `https://example.com/kim:${secret}@x.git`,
    `ssh://kim:${secret}@example.com/x.git`,
    `ssh://${secret}@example.com/x.git`,
    `ext::sh -c '${secret}'`,
    `${secret}://example.com/x.git`,
    `file://kim:${secret}@example.com/x.git`,
    `key=${secret}/x.git`,
  ])('that may hold a secret is refused without it: %s', (address) => {
    try {
      addressOf(address, '/srv');
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(error.message).not.toContain(secret);
      if (!address.startsWith('file:')) expect(error.message).toMatch(/credential helper/);
    }
  });

  test.each([
    ['git@example.com:me/memory.git'],
    ['example.com:me/a@b.git'],
    ['host:memory.git'],
    ['ssh://git@example.com:2222/~kim/memory.git'],
    ['ssh://[::1]/memory.git'],
    ['https://example.com:8443/me/My%20memory.git'],
    ['http://127.0.0.1:9/x.git'],
    ['git://example.com/x.git'],
    ['backup/memory.git', '/srv/backup/memory.git'],
    ['../größe/memory.git', '/größe/memory.git'],
    ['/mnt/usb/memory.git', '/mnt/usb/memory.git'],
    ['file:///mnt/usb/memory.git', '/mnt/usb/memory.git'],
  ])('of a plain form is taken: %s', (address, taken = address) => {
    expect(addressOf(address, '/srv')).toBe(taken);
    expect(holdsCredential(taken)).toBe(false);
  });

  test('may be any folder that is there', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'a:b@c=d'));
    expect(addressOf(folder, '/')).toBe(folder);
    expect(addressOf(path.basename(folder), os.tmpdir())).toBe(folder);
    expect(holdsCredential(folder)).toBe(false);
    fs.rmdirSync(folder);
  });
});

test('what git says is repeated without credentials, which its own settings may hold', () => {
  const said = `fatal: unable to access 'https://kim:${secret}@example.com/x.git/': no`;
  expect(lastLine(said)).not.toContain(secret);
  expect(lastLine("fatal: unable to access 'https://example.com/x.git/': no")).toContain('example.com');
});
