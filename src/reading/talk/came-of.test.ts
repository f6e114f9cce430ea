import { describe, expect, it } from 'vitest';
import { conclusionIn, decisionsInPlan, onlyAsks, outcomeIn, reportIn, reportMark, wishIn } from './index.ts';

describe('what came of a turn', () => {
  it('is how it is now, not how it was', () => {
    expect(
      outcomeIn(
        '**Before**: The gate shut too early and the wheel ran dry.\n\n**After**: The gate waits for the river.',
        300,
      ),
    ).toBe('The gate waits for the river.');
    expect(
      outcomeIn(
        'The fix: the bell was only rung when the gate opened. I replaced the rope with a chain.',
        60,
      ),
    ).toBe('I replaced the rope with a chain.');
  });

  it('leaves the checks to their own lines where more is said', () => {
    expect(outcomeIn('All 12 tests pass and lint is clean. Added a bell to the gate.', 300)).toBe(
      'Added a bell to the gate.',
    );
    expect(outcomeIn('All 12 tests pass and lint is clean.', 300)).toBe('');
    const failing = 'Added a bell to the gate. 3 of the 20 tests still failed with errors.';
    expect(outcomeIn(failing, 300)).toBe(failing);
  });

  it('may be what follows `Now the gate:`', () => {
    expect(
      outcomeIn('All green. Now the gate:\n\n1. Waits for the river\n2. Rings the bell twice', 300),
    ).toBe('Now the gate: Waits for the river. Rings the bell twice');
    expect(outcomeIn('Now it counts whole sacks:\n\n```\n7\n```', 300)).toBe('Now it counts whole sacks');
  });

  it('may be a list below a sentence that says what was done', () => {
    const list =
      '- Wheels by size, the smallest left\n- Gate: a line of oak on each side\n- Bell at the end of the beam';
    expect(reportIn(`The mill has been redrawn:\n\n${list}`, 400).split(reportMark)).toHaveLength(3);
    expect(reportIn(`The mill has these parts:\n\n${list}`, 400)).toBe('');
  });
});

it('an item that is too long ends with a whole phrase', () => {
  const list = (item: string) =>
    reportIn(
      `- Added a gate\n- ${item}\n- Removed the old rope from the beam of the mill\n- Fixed the bell that rang at night`,
      200,
    );
  const first =
    'Added a counter of sacks to the page of the upper mill so that nobody has to go down at night to look for a sack of rye';
  expect(list(first)).toContain(
    `${reportMark}Added a counter of sacks to the page of the upper mill${reportMark}`,
  );
  expect(
    list(
      'Replaced the long and heavy rope of the bell beside the gate of the mill with a chain of forty links from the old smithy of the village',
    ),
  ).toContain('…');
});

it('a whole sentence in bold is no heading', () => {
  expect(conclusionIn('**The wheel never gets water from the river.**\n\nThe flow is:\n1. rain', 40)).toBe(
    'The wheel never gets water from the river.',
  );
});

it('a question chooses nothing', () => {
  expect(onlyAsks('why not oil the gate too?')).toBe(true);
  expect(onlyAsks('Does it turn? I think so. Is it loud?')).toBe(false);
  expect(onlyAsks("Shouldn't it be oak? Let's use oak.")).toBe(false);
});

it('of a plan that names only a problem the bug is what is wanted', () => {
  expect(
    wishIn(
      '# Mill\n\n## Context\n\nA gate shuts when the bell rings:\n- left first\n- then right\n\nThe bug: it shut on the right side first, and the cart stood outside all night long in the rain.',
      300,
    ),
  ).toMatch(/^The bug: /);
});

it('a decision of a plan that is only a name keeps what is said of it', () => {
  const text =
    '# Mill\n\n## Root Cause\n\n- The wheel slips\n\n## Design Decisions\n\n- `turnWheel()` (`wheel.ts:7`) runs twice; it should not.\n- Oil the gate (at noon)\n- Stone: New one — of granite';
  expect(decisionsInPlan(text)).toEqual([
    '`turnWheel()` runs twice; it should not.',
    'Oil the gate',
    'Stone: New one — of granite',
  ]);
});

it('a decision whose details are long keeps its name', () => {
  const text = `# Mill\n\n## Design Decisions\n\n- Stone: New one \u2014 ${'of granite '.repeat(30)}`;
  expect(decisionsInPlan(text)).toEqual(['Stone: New one']);
});

it('a list below a heading that says it was done is a report, unless it only names places', () => {
  const list = (first: string, second: string) =>
    `All tests pass.\n\n### What was implemented:\n\n1. **${first}\n2. **${second}`;
  expect(
    reportIn(list('`SACKS = 10`** constant in `mill.ts`', 'Batches of ten** in `wheel.ts`'), 300),
  ).toMatch(/^`SACKS = 10`/);
  expect(reportIn(list('Gate**: `gate.ts:7-9`', 'Wheel**: `wheel.ts:3`'), 300)).toBe('');
});

it.each([
  ['**Summary**: Added a second stone to the mill.', 'Added a second stone to the mill.'],
  ['**Before**: One stone was there.\n\n**After**: Both stones are checked.', 'Both stones are checked.'],
  [
    'Added a line about rye to the wheel in both:\n- `wheel.ts:3`\n- `axle.ts:7`',
    'Added a line about rye to the wheel',
  ],
  [
    'The fix is simple:\n\n**Fix**: Changed the stone, which is the right one for rye.',
    'Fix: Changed the stone, which is the right one for rye.',
  ],
])('%j came of it without the words that introduce it', (reply, expected) =>
  expect(outcomeIn(reply, 300)).toBe(expected),
);
