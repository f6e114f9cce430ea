import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Line, Section } from './line.ts';
import { framedLines, outlineLines } from './text.ts';

const outlineText = (sections: readonly Section[], budget: number) =>
  framedLines(outlineLines(sections, budget));

const line = (id: number, text: string): Line => ({ id, ts: '2026-01-02T03:04:05.000Z', text });
const full: readonly Section[] = [
  { title: 'Pinned:', lines: [line(1, 'kept')], share: 0.3 },
  { title: 'Last sessions:', lines: [line(9, 'fix it → done')], share: 0.6 },
  { title: 'Failed:', lines: [line(2, '`npm test` failed')], share: 0.1 },
];

/** What stands between the tags. */
function inFence(text: string): string {
  const [, , inside] = /<(memd-record-[0-9a-f]{16})>\n([\s\S]*)\n<\/\1>/.exec(text) ?? [];
  if (inside === undefined) throw new Error(`no fence: ${text}`);
  return inside;
}

test('each line has an id and a date', () => {
  expect(inFence(outlineText(full, 600))).toBe(
    [
      'Pinned:',
      '#1 2026-01-02 kept',
      'Last sessions:',
      '#9 2026-01-02 fix it → done',
      'Failed:',
      '#2 2026-01-02 `npm test` failed',
    ].join('\n'),
  );
});

test('an empty outline is an empty text, and so is one that does not fit', () => {
  expect(outlineText([], 600)).toBe('');
  expect(outlineText(full, 40)).toBe('');
});

test('much of one kind leaves room for the others, and a line is given whole or shorter, not cut', () => {
  const pinned = Array.from({ length: 40 }, (_, at) => line(at + 10, 'x'.repeat(400)));
  const long = { ...line(9, `goal → ${'outcome '.repeat(300)}`), shorter: ['goal'] };
  const [first, , last] = full;
  if (first === undefined || last === undefined) throw new Error('no sections');
  const sections = [
    { ...first, lines: pinned },
    { title: 'Last sessions:', lines: [long], share: 0.6 },
    last,
  ];
  const text = inFence(outlineText(sections, 600));
  expect(text).toContain('#9 2026-01-02 goal\n');
  expect(text).toContain('#2 ');
});

test('a long line leaves the next ones more than their shortest form, and takes what room is left', () => {
  const forms = (id: number, long: number): Line => ({
    ...line(id, `goal ${id} → ${'whole '.repeat(long)}`),
    shorter: [`goal ${id} → brief`, `goal ${id}`],
  });
  const said = (...lines: readonly Line[]) =>
    inFence(outlineText([{ title: 'Last sessions:', lines, share: 0.6 }], 600));
  const many = said(...[1, 2, 3, 4].map((id) => forms(id, 220)));
  expect(many).toMatch(/#1 \S+ goal 1 → whole/);
  for (const id of [2, 3, 4]) expect(many).toContain(`goal ${id} → brief`);
  const few = said(...[1, 2, 3].map((id) => forms(id, 100)));
  for (const id of [1, 2, 3]) expect(few).toContain(`goal ${id} → whole`);
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
    fc.tuple(fc.nat(), text, text).map(([id, words, odd]) => ({ id, ts: odd, text: words })),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(
      memories,
      memories,
      text,
      fc.integer({ min: 0, max: 3_000 }),
      (pinned, failures, digest, budget) => {
        const sections = [
          { title: 'Pinned:', lines: pinned, share: 0.5 },
          { title: 'Focus:', lines: [line(1, digest)], share: 1 },
          { title: 'Failed:', lines: failures, share: 0.1 },
        ];
        const text = outlineText(sections, budget);
        expect(text.length).toBeLessThanOrEqual(Math.min(budget * 4, 9_500));
        if (text === '') return;
        expect(text.match(/<(?!redacted:)/g)).toHaveLength(2);
        expect(inFence(text)).not.toMatch(/</);
      },
    ),
  );
});
