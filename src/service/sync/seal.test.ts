import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { slowTest } from '../../../test/support/slow.ts';
import { isKeyFile, type KeyFile, passphraseSeal } from './seal.ts';

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');

/** A file of the form of a key, which no passphrase opens. */
function junk(work: number | string, name?: string): KeyFile {
  const head = `age-encryption.org/v1\n-> scrypt ${base64(16)} ${work}\n${base64(32)}\n--- ${base64(32)}\n`;
  const content = Buffer.concat([Buffer.from(head), randomBytes(106)]);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return { path: `keys/${name ?? hash}.age`, content };
}

test('only what memd may have written counts as a key', async () => {
  const [real] = (await passphraseSeal('correct horse', [], [])).keys;
  if (real === undefined) throw new Error('there is no key');
  expect(isKeyFile(real)).toBe(true);
  expect(isKeyFile({ ...real, path: `keys/${'0'.repeat(32)}.age` })).toBe(false);
  expect(isKeyFile(junk(16))).toBe(true);
  expect(isKeyFile(junk(16, '0'.repeat(32)))).toBe(false);
  // It would take a gigabyte to try.
  for (const work of [17, 20, 99, 'x', '-1', 100])
    expect([work, isKeyFile(junk(work))]).toEqual([work, false]);
  expect(isKeyFile({ ...junk(16), content: Buffer.from('x') })).toBe(false);
});

slowTest('a key is found among files of its form, and a wrong passphrase is said in words', async () => {
  const { seal, keys } = await passphraseSeal('correct horse', [], []);
  const closed = await seal.close(Buffer.from('secret'));
  const others = [...Array.from({ length: 12 }, () => junk(10)), ...keys];
  const found = await passphraseSeal('correct horse', [], others);
  expect(found.keys).toEqual(keys);
  expect(Buffer.from((await found.seal.open(closed)) ?? []).toString()).toBe('secret');
  // A device that has a key goes on, whatever others add.
  expect((await passphraseSeal('correct horse', keys, others.slice(0, 6))).keys).toEqual(keys);
  await expect(passphraseSeal('wrong', [], others)).rejects.toThrow('does not open the memory');
  const many = Array.from({ length: 65 }, () => junk(1));
  await expect(passphraseSeal('correct horse', [], many)).rejects.toThrow('none of 64 of the 65 key files');
});
