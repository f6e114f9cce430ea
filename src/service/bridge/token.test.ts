import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { comparedWith, newToken, tokenIn, watchedToken } from './token.ts';

let folder: string;
let file: string;
let umask: number;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-token-'));
  file = path.join(folder, 'auth.token');
  umask = process.umask();
});
afterEach(() => {
  process.umask(umask);
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a token is 32 random bytes in hexadecimal', () => {
  expect(newToken()).toMatch(/^[0-9a-f]{64}$/);
  expect(newToken()).not.toBe(newToken());
});

test('only the whole text fits', () => {
  const fits = comparedWith('abc');
  expect(['abc', 'ab', 'abcd', 'ABC', ''].map(fits)).toEqual([true, false, false, false, false]);
});

describe('the token file', () => {
  test.each([0o000, 0o022, 0o077])('is made with mode 0600 under umask %o, and kept', (mask) => {
    process.umask(mask);
    const token = tokenIn(file);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, 'utf8')).toBe(token);
    expect(tokenIn(file)).toBe(token);
    expect(fs.readdirSync(folder)).toEqual(['auth.token']);
  });

  test('is made again when it was deleted', () => {
    const token = tokenIn(file);
    fs.rmSync(file);
    expect(tokenIn(file)).not.toBe(token);
  });

  test('may end with a newline', () => {
    fs.writeFileSync(file, `${'a'.repeat(64)}\n`, { mode: 0o600 });
    expect(tokenIn(file)).toBe('a'.repeat(64));
  });

  test.each([
    '',
    'a',
    'a'.repeat(63),
    'a'.repeat(65),
    'A'.repeat(64),
    `${'a'.repeat(64)}\n\n`,
    'x'.repeat(10_000),
  ])('that holds %j is refused by name', (text) => {
    fs.writeFileSync(file, text, { mode: 0o600 });
    expect(() => tokenIn(file)).toThrow(`${file} does not hold a token`);
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([0o640, 0o604, 0o666])('of mode %o is refused with its repair', (mode) => {
    fs.writeFileSync(file, 'a'.repeat(64));
    fs.chmodSync(file, mode);
    expect(() => tokenIn(file)).toThrow(new RegExp(`${file} is open to other users .*chmod 600`));
  });

  test('in a folder that is open to others is refused by the folder’s name', () => {
    fs.chmodSync(folder, 0o755);
    expect(() => tokenIn(file)).toThrow(`${folder} is open to other users`);
    expect(fs.existsSync(file)).toBe(false);
  });

  test('that is a link is refused, also one that leads nowhere; nothing is written through it', () => {
    const elsewhere = path.join(folder, 'elsewhere');
    fs.symlinkSync(elsewhere, file);
    expect(() => tokenIn(file)).toThrow(`${file} is a symbolic link`);
    expect(fs.existsSync(elsewhere)).toBe(false);
    fs.writeFileSync(elsewhere, 'a'.repeat(64), { mode: 0o600 });
    expect(() => tokenIn(file)).toThrow(`${file} is a symbolic link`);
  });

  test('that is a folder is refused', () => {
    fs.mkdirSync(file, { mode: 0o700 });
    expect(() => tokenIn(file)).toThrow(`${file} is not a file`);
  });

  test.skipIf(process.getuid?.() !== 0)('of another user is refused', () => {
    fs.writeFileSync(file, 'a'.repeat(64), { mode: 0o600 });
    fs.chownSync(file, 12_345, 12_345);
    expect(() => tokenIn(file)).toThrow(`${file} belongs to another user (uid 12345)`);
  });
});

describe('the token in force', () => {
  test('is another one after a rotation, in every daemon of this user, and the former fits nowhere', () => {
    let changes = 0;
    const [one, other] = [watchedToken(file, () => {}), watchedToken(file, () => (changes += 1))];
    const former = one.text;
    one.rotate();
    expect(one.text).not.toBe(former);
    expect([other.text, fs.readFileSync(file, 'utf8')]).toEqual([one.text, one.text]);
    expect([one.fits(former), other.fits(former), other.fits(one.text), changes]).toEqual([
      false,
      false,
      true,
      1,
    ]);
    expect([fs.statSync(file).mode & 0o777, fs.readdirSync(folder)]).toEqual([0o600, ['auth.token']]);
  });

  test('stays what it was while the file is gone or spoiled', () => {
    const token = watchedToken(file, () => {});
    const { text } = token;
    fs.writeFileSync(file, 'x');
    expect(token.fits(text)).toBe(true);
    fs.rmSync(file);
    expect(token.fits(text)).toBe(true);
    fs.symlinkSync('elsewhere', file);
    expect(token.fits(text)).toBe(true);
  });

  test('is another one also where the file cannot be written, and the former is not left behind', () => {
    const token = watchedToken(file, () => {});
    const former = token.text;
    // In the way of the file that would be given its name.
    fs.mkdirSync(`${file}.${process.pid}.tmp`);
    expect(() => token.rotate()).toThrow();
    expect([token.fits(former), fs.existsSync(file)]).toEqual([false, false]);
  });
});
