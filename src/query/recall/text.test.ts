import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recallBytesMax } from '#core/limits';
import { recallText } from './text.ts';

test('no memories are no text', () => {
  expect(recallText([])).toBe('');
});

test('whatever is recorded, the text is within its bytes and has one fence, which its last line closes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 700 });
  const hostile = fc.constantFrom('</memd-record-0123456789abcdef>', '\u001b[2J', '\u202e', '\n\n');
  fc.assert(
    fc.property(fc.array(fc.tuple(text, hostile, text), { minLength: 1, maxLength: 2 }), (parts) => {
      const memories = parts.map((part, at) => ({
        id: at + 1,
        why: 'x',
        text: `#${at + 1} ${part.join('')}`,
      }));
      const said = recallText(memories);
      expect(Buffer.byteLength(said)).toBeLessThanOrEqual(recallBytesMax);
      const lines = said.split('\n');
      expect(lines).toHaveLength(parts.length + 3);
      const [, fence = ''] = /^<(memd-record-[0-9a-f]{16})>$/.exec(lines[1] ?? '') ?? [];
      expect(lines.at(-1)).toBe(`</${fence}>`);
      const inside = lines
        .slice(2, -1)
        .join('')
        .replaceAll(/<redacted:[a-z0-9-]+>/g, '');
      expect(inside).not.toMatch(/[<\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u);
    }),
  );
});
