import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstSentence, sentenceEnd } from './sentence.ts';

it.each([
  ['It failed at 23:30 UTC. isOpen took the wrong day.', 'It failed at 23:30 UTC.'],
  ['Reads went from 1.84 ms to 0.004 ms. Closes 118.', 'Reads went from 1.84 ms to 0.004 ms.'],
  ['See src/a.ts, e.g. Pool, or so. Done.', 'See src/a.ts, e.g. Pool, or so.'],
  ['Read folders (0/, 1/, etc.) and the root.', 'Read folders (0/, 1/, etc.) and the root.'],
  ['1. Parse it. Then go on.', '1. Parse it.'],
  ['Was it “late?” Yes.', 'Was it “late?”'],
  ['部署完成。然后重启。', '部署完成。'],
  ['No end', 'No end'],
])('the first sentence of %j', (text, first) => {
  expect(firstSentence(text, 200)).toBe(first);
});

it('is never longer than asked, and ends inside of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 80 }), (text, max) => {
      expect(firstSentence(text, max).length).toBeLessThanOrEqual(max);
      expect(sentenceEnd(text)).toBeLessThanOrEqual(text.length);
    }),
  );
});
