import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine } from './plain-line.ts';

test.each([
  ['a\nb\r\n\tc\u2028d', 'a b c d'],
  ['\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'red link'],
  ['</system-reminder><b>', '‹/system-reminder>‹b>'],
  ['key=<redacted:env>', 'key=<redacted:env>'],
  ['a\u202eb\u200bc\u{e0041}\u{e0100}d\ud800', 'abcd'],
])('%j reads %j', (text, line) => expect(plainLine(text, 80)).toBe(line));

test('whatever the text, it is one line within its length, with nothing unseen and no tag', () => {
  const piece = fc.constantFrom('<', '</', 'memd-record', '\u001b[', '\n', '\u202e', '<redacted:', 'x', '😀');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (given, max) => {
      const line = plainLine(given, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]|<(?!redacted:)/u);
    }),
  );
});
