import { describe, expect, it } from 'vitest';
import { asksIn, onlyAsks, outcomeIn, reportIn } from './index.ts';

describe('what a reply says was done', () => {
  it('says how many items of a list it leaves out', () => {
    const items = ['hub', 'rim', 'axle', 'gate'].map(
      (name) =>
        `1. **The ${name}** \u2014 replaced the old ${name} of oak with one of iron that the smith made`,
    );
    const reply = `The mill is ready:\n\n${items.join('\n')}`;
    expect(outcomeIn(reply, 100)).toMatch(/^The hub .* made \u2022 3 more$/);
    expect(outcomeIn(reply, 1_000)).not.toContain('more');
  });

  it.each(['**Removed:**', 'Removed from `mill.ts`:', '### Created'])(
    'is no lead without its thing: %s',
    (lead) =>
      expect(
        outcomeIn(`I replaced the wheel of the mill.\n\n${lead}\n- \`rattle\` (line 7)\n- \`creak\``, 300),
      ).toBe('I replaced the wheel of the mill.'),
  );

  it('is no item of a list that another sentence needs, nor of a list below an item', () => {
    const needs =
      'It is not different. Any mill that:\n\n1. Begins at noon (`hour > 12`)\n2. But has no rye\n\nwill stop.';
    expect(outcomeIn(needs, 300)).not.toContain('Begins');
    const below =
      'Added `weigh()` which weighs all:\n\n1. **Sacks** - weighs:\n   - `rye` is fixed\n   - `oats` is fixed\n';
    expect(outcomeIn(below, 300)).not.toContain('is fixed');
    const indented =
      'Changed the mill:\n\n  - The gate is fixed\n  - The wheel is oiled\n\n1. Next, ring the bell';
    expect(outcomeIn(indented, 300)).toContain('The gate is fixed');
  });

  it('is found in time behind many blanks', () =>
    expect(outcomeIn(`- Replaced the wheel of the mill\n${' '.repeat(400_000)}x`, 300)).toContain(
      'the wheel',
    ));

  it('is not that all was done', () =>
    expect(outcomeIn("I've successfully completed both tasks:", 200)).toBe(''));
});

describe('a report', () => {
  it('marks what is left out as items, and an item whose list is left out', () => {
    const items = ['hub', 'rim', 'axle', 'gate', 'sluice'].map((one) => `- Replaced the ${one} of the mill`);
    expect(reportIn(items.join('\n'), 120)).toMatch(/ \u2022 [2-4] more$/);
    const nested =
      '- Added three colours of sacks:\n  - `rye` dark\n  - `oats` light\n- Removed the old sacks of jute';
    expect(reportIn(nested, 400)).toContain('three colours of sacks: `rye` dark, \u2026');
    const cut =
      '- Added a log of the start\n- Log of failures (all of them): When the wheel of the upper mill stops with a noise, it now always logs:\n  - noise';
    expect(reportIn(cut, 400)).toMatch(/Log of failures \(all of them\)$/);
  });
});

describe('a request in a line', () => {
  it('has the sentence before, where it says what `it` is', () =>
    expect(
      asksIn(
        'Until now the gate was opened by hand in the morning. Can you help me change it so that I can have a clock or a bell that opens the gate for me? I do not want to get up at five every day in the winter months.',
      ),
    ).toMatch(/^Until now the gate .* Can you help me change it/));

  it('is none in lines with the time of a clock', () =>
    expect(
      asksIn(
        'Bell of the gate rang at Mon Feb 9 09:39:51 CET 2026\nBell of the mill rang at Mon Feb 9 09:39:51 CET 2026',
      ),
    ).toBe(''));
});

it.each([
  ['pause, does this have a use for the miller', true],
  ['no, too much... I was more wondering if the name begins with a letter', true],
  ['keep the old wheel, we still need it', false],
  ['is it right? use rye instead', false],
])('only asks or not: %s', (words, expected) => expect(onlyAsks(words)).toBe(expected));
