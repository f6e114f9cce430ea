import { describe, expect, test } from 'vitest';
import { hostedKey } from './hosted-key.ts';

const provider = { 'hostedllm.endpoint': 'https://api.anthropic.com' };
const own = { 'hostedllm.endpoint': 'http://127.0.0.1:8080' };
const good = `sk-ant-${'k'.repeat(40)}`;

describe('hostedKey', () => {
  test('is the key, or null when none is set', () => {
    expect(hostedKey({ HOSTEDLLM_API_KEY: good }, provider)).toBe(good);
    expect(hostedKey({}, provider)).toBeNull();
    expect(hostedKey({ HOSTEDLLM_API_KEY: '' }, provider)).toBeNull();
  });

  test('needs the provider’s prefix at the provider only', () => {
    const other = 'x'.repeat(20);
    expect(hostedKey({ HOSTEDLLM_API_KEY: other }, own)).toBe(other);
    expect(() => hostedKey({ HOSTEDLLM_API_KEY: other }, provider)).toThrow('does not begin with "sk-ant-"');
  });

  test.each([
    ['white space', `${good}\n`],
    ['white space', `sk-ant ${'k'.repeat(30)}`],
    ['not 20 to 256', 'k'.repeat(19)],
    ['not 20 to 256', 'k'.repeat(257)],
    ['not printable ASCII', `${good}é`],
    ['not printable ASCII', `${good}\u0001`],
  ])('of another form stops the start in words that do not show it: %s', (words, key) => {
    for (const config of [provider, own]) {
      try {
        hostedKey({ HOSTEDLLM_API_KEY: key }, config);
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_key' });
        expect(String(error)).toContain(words);
        expect(String(error)).not.toContain(key.trim().slice(0, 12));
      }
    }
  });

  test('may have 20 and 256 characters', () => {
    for (const length of [20, 256]) {
      const key = 'k'.repeat(length);
      expect(hostedKey({ HOSTEDLLM_API_KEY: key }, own)).toBe(key);
    }
  });
});
