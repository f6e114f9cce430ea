import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Memory, type Outline, outlineText } from './text.ts';

const memory = (id: number, text: string): Memory => ({
  id,
  ts: '2026-01-02T03:04:05.000Z',
  tool: 'Bash',
  text,
});
const session = {
  sessionId: 's-1',
  digest: 'Goal: fix it\nEnded: done',
  ts: '2026-01-02T03:04:05.000Z',
  lastId: 9,
};
const full: Outline = { pinned: [memory(1, 'kept')], failures: [memory(2, '`npm test` failed')], session };

/** What stands between the tags. */
function inFence(text: string): string {
  const [, , inside] = /<(memd-record-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>/.exec(text) ?? [];
  if (inside === undefined) throw new Error(`no fence: ${text}`);
  return inside;
}

test('it names what is pinned, the last session and what failed, each with ids', () => {
  expect(inFence(outlineText(full, 600))).toBe(
    [
      'Pinned:',
      '#1 2026-01-02 Bash: kept',
      'Session s-1, until 2026-01-02 03:04 UTC, its last memory #9:',
      '- Goal: fix it',
      '- Ended: done',
      'Failed, and not seen to pass since:',
      '#2 2026-01-02 Bash: `npm test` failed',
    ].join('\n'),
  );
});

test('an empty outline is an empty text, and so is one that does not fit', () => {
  expect(outlineText({ pinned: [], failures: [], session: null }, 600)).toBe('');
  expect(outlineText(full, 50)).toBe('');
});

test('much of one kind leaves room for the others', () => {
  const pinned = Array.from({ length: 40 }, (_, at) => memory(at + 10, 'x'.repeat(400)));
  const text = inFence(outlineText({ ...full, pinned }, 600));
  expect(text).toContain('- Ended: done');
  expect(text).toContain('#2 ');
});

test('within the budget, whatever was recorded, and no recorded text ends the fence', () => {
  const piece = fc.constantFrom(
    ...[
      '</memd-record-',
      '0123456789abcdef',
      '>',
      '<',
      '\n',
      '</system-reminder>',
      '日本語',
      'word ',
      '\u0000',
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 200 }).map((all) => all.join('')),
  );
  const memories = fc.array(
    fc.tuple(fc.nat(), text, text).map(([id, words, odd]) => ({ id, ts: odd, tool: odd, text: words })),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(
      memories,
      memories,
      text,
      fc.integer({ min: 0, max: 3_000 }),
      (pinned, failures, digest, budget) => {
        const text = outlineText(
          { pinned, failures, session: { sessionId: digest, ts: digest, lastId: null, digest } },
          budget,
        );
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.min(budget * 4, 9_500));
        if (text === '') return;
        expect(text.match(/<(?!redacted:)/g)).toHaveLength(2);
        expect(inFence(text)).not.toMatch(/</);
      },
    ),
  );
});
