import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { harmless, oneLine } from './index.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 400 });

describe('recorded text', () => {
  test('loses what is not seen, turns text round or moves a cursor', () => {
    expect(
      harmless(
        'a\u001b[31mred\u001b]0;title\u0007b\u202egnp.exe\u2066\u0000\u200b\u{e0041}\u{e0101}\ud800c\r\nd\re\tf',
      ),
    ).toBe('aredbgnp.exec\nd\ne\tf');
  });

  test('loses fillers, and runs of the unseen characters that alone would stay', () => {
    expect(harmless('a\u3164b\u115fc\uffa0d\u034fe\u180bf')).toBe('abcdef');
    expect(harmless(`x${'\ufe01'.repeat(9)}y${'\u200c\u200d'.repeat(9)}z`)).toBe(
      'x\ufe01\ufe01y\u200c\u200dz',
    );
  });

  test('keeps every script, its joiners and emoji', () => {
    for (const text of [
      'größer naïve',
      'می\u200cخواهم',
      '数据库连接超时',
      '👩\u200d💻 🧠',
      'क\u094dष',
      '❤\ufe0f\u200d🔥',
    ]) {
      expect(harmless(text)).toBe(text);
    }
  });

  test('is well-formed, holds no control but line breaks and tabs, and is left alone the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = harmless(text);
        expect(once).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}]/u);
        expect(harmless(once)).toBe(once);
      }),
    );
  });

  test('on one line is within its limit and has no half of a character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const line = oneLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line).not.toMatch(/[\n\r\u2028\u2029\p{Cs}]/u);
      }),
    );
    expect(oneLine('one two\n three', 100)).toBe('one two three');
    expect(oneLine('abcdef', 4)).toBe('abc…');
  });
});
