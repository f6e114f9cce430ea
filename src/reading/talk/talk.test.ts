import { describe, expect, it } from 'vitest';
import {
  asksIn,
  choiceAnswered,
  conclusionIn,
  decisionsIn,
  decisionsInPlan,
  isClaim,
  isCourtesy,
  manualChecksIn,
  onlyAnswers,
  optionChosen,
  outcomeIn,
  reportIn,
  reportMark,
  requestIn,
  takenBack,
  takesAllBack,
  wishIn,
} from './index.ts';

const plan = `Implement the following plan:

# Fix: the mill floods the kitchen

## Context

The wheel sends dozens of requests per second. This happens because \`useMill()\` returns a **new object on every render**, so the effect runs again.

## Files to Modify

- \`src/mill.ts\`: ${'wrap the return value. '.repeat(30)}
`;

describe('a request', () => {
  it('of a few sentences is all of them, without markup', () => {
    expect(requestIn('Grind **rye** first.\nDo not wake the miller', 600)).toBe(
      'Grind rye first. Do not wake the miller',
    );
  });

  it('of a long plan is its title and its reason, in whole sentences', () => {
    const said = requestIn(plan, 300);
    expect(said).toMatch(/^Fix: the mill floods the kitchen\. /);
    expect(said).toContain(
      'because `useMill()` returns a new object on every render, so the effect runs again.',
    );
    expect(said).not.toContain('wrap the return');
  });

  it('keeps the sentence that alone is longer than its room', () => {
    const sentence = `The wheel stops because ${'the water is low and '.repeat(20)}the gate is shut.`;
    expect(requestIn(sentence, 300)).toBe(sentence);
  });

  it('leaves out what was pasted behind it', () => {
    const pasted = `the mill still fails: {"level":"error","text":"${'x'.repeat(200)}"}\n\tat grind (mill.ts:3)`;
    expect(requestIn(pasted, 600)).toBe('the mill still fails:');
  });
});

describe('a conclusion', () => {
  it('is the cause and the result, not the courtesies', () => {
    const reply =
      'Perfect! The wheel turns again.\n\nThe problem was the gate: it closed before the water came.\n\nLet me know if you need more.';
    expect(conclusionIn(reply, 600)).toBe(
      'The wheel turns again. The problem was the gate: it closed before the water came.',
    );
  });

  it('of a message that only announces a step is that step', () => {
    expect(isCourtesy('Great. Let me look at the gate.')).toBe(true);
    expect(conclusionIn('Great. Let me look at the gate.', 600)).toBe('Let me look at the gate.');
    expect(isClaim('Now let me look at the gate:')).toBe(false);
    expect(isClaim('Fixed the gate.')).toBe(true);
  });
});

it('a prompt only answers when nothing in it asks for something', () => {
  for (const text of ['yes', 'ok do it', 'go on', 'Option 2', 'commit this', 'ja bitte', '继续']) {
    expect([text, onlyAnswers(text)]).toEqual([text, true]);
  }
  for (const text of [
    'yes, but without the tests',
    'tests are failing',
    'why?',
    'commit and update the changelog',
  ]) {
    expect([text, onlyAnswers(text)]).toEqual([text, false]);
  }
});

it('decisions are statements of a choice, whole, and no questions', () => {
  expect(decisionsIn("Let's use rye instead of wheat. Should we use oats instead of rye?")).toEqual([
    "Let's use rye instead of wheat.",
  ]);
  expect(decisionsIn('The gate stays open instead of shut.')).toEqual([]);
  expect(decisionsIn("Never use the guest's name for a sack. Never mind.")).toEqual([
    "Never use the guest's name for a sack.",
  ]);
  expect(decisionsIn('Always weigh it twice')).toEqual(['Always weigh it twice']);
  for (const said of ['It never turns at night.', 'Always stops at night.', 'Never mind that, go on.'])
    expect(decisionsIn(said)).toEqual([]);
  expect(decisionsIn('We decided to keep the gate open.')).toEqual(['We decided to keep the gate open.']);
  for (const pasted of [
    'Instead of lines 235-236:',
    'The mill should use the old gate instead of a new one.',
  ])
    expect(decisionsIn(pasted)).toEqual([]);
});

it('a chosen option is the words of the reply that offered it', () => {
  const offered = '**Option 1:** Keep the gate open\n\n### Option 2: Shut the gate\n\nWhich one?';
  for (const prompt of ['option 2', "ok, let's go with Option 2.", 'yes do option 2', 'I like option 2'])
    expect([prompt, optionChosen(prompt, offered)]).toEqual([prompt, 'Option 2: Shut the gate']);
  expect(optionChosen('I like option 2, from November on: frost', offered)).toBe(
    'Option 2: Shut the gate: from November on: frost',
  );
  const numbered = 'We have two options:\n\n1. **Keep** the gate open\n2. Shut the gate';
  expect(optionChosen("let's go with option 1", numbered)).toBe('Option 1: Keep the gate open');
  for (const prompt of [
    ...["Option 2 doesn't work.", 'What does option 2 cost?', 'I like option 2, but not today'],
    ...['option 3', 'Compare option 1 and option 2'],
  ])
    expect([prompt, optionChosen(prompt, offered)]).toEqual([prompt, null]);
});

it('a short answer to a question that offers a choice is a decision', () => {
  const reply = 'The bell has no rope:\n\n1. Buy one\n2. Borrow one\n\nWhich would you prefer?';
  expect(choiceAnswered('borrow it from the church', reply)).toBe(
    'The bell has no rope → borrow it from the church',
  );
  for (const prompt of ['yes', '1', 'push and open a PR', 'what does a rope cost?', 'hmm, let me think'])
    expect([prompt, choiceAnswered(prompt, reply)]).toEqual([prompt, null]);
  expect(choiceAnswered('borrow it from the church', 'Want me to ring it?')).toBeNull();
});

it('a prompt may take back the work before it', () => {
  expect(takenBack("I've reverted your changes - focus only on the bell. Then stop.")).toBe(
    "I've reverted your changes - focus only on the bell.",
  );
  expect(takenBack('Can you revert the bell?')).toBeNull();
});

it('a prompt may say that nothing is left of the changes before it, not of some of them', () => {
  for (const all of ['I reverted everything.', 'I have undone all of your edits, start with the gate'])
    expect(takesAllBack(all)).toBe(true);
  for (const some of ['I reverted the changes to the gate', 'I reverted the bell', 'revert your changes'])
    expect(takesAllBack(some)).toBe(false);
});

it('a plan names what a person is to look at', () => {
  const steps =
    '1. `npm test` passes\n2. Manual test:\n   - open the gate\n   - ring the bell\n3. Visual check of the wheel';
  expect(manualChecksIn(`${plan}\n## Verification\n\n${steps}`)).toEqual([
    'Manual test: open the gate; ring the bell',
    'Visual check of the wheel',
  ]);
  expect(manualChecksIn(`${plan}\n## Layout\n\nThe wheels are visually distinct.`)).toEqual([]);
  expect(manualChecksIn('Manual test: open the gate')).toEqual([]);
});

it('a plan lists its decisions below a heading, each without its details', () => {
  const text = `${plan}\n## Key Design Decisions\n- **Gate**: one for all (see below)\n- No bell\n\n## Steps\n- Dig`;
  expect(decisionsInPlan(text)).toEqual(['Gate: one for all', 'No bell']);
});

describe('the wish of a plan', () => {
  const room = 240;

  it('is the sentence that states it, with the list it introduces', () => {
    const context =
      '## Context\n\nThe mill has one stone. The user wants to:\n\n1. **Grind** rye\n2. Sell oats\n';
    expect(wishIn(`${context}\n## Changes\n\nThe goal is to build.`, room)).toBe(
      'The mill has one stone. The user wants to: Grind rye; Sell oats',
    );
    const goal =
      '## Context\nMillers wait.\n**Goal**: Nobody waits at noon. The queue is gone.\n## Steps\n1. dig';
    expect(wishIn(goal, room)).toBe('Nobody waits at noon. The queue is gone.');
  });

  it('is the problem where no sentence states it, also one that a block of output interrupts', () => {
    const plan =
      '## Context\nThe wheel needs a push. At night it ends with:\n```\nstuck\n```\nThis blocks the mill.';
    expect(wishIn(plan, room)).toBe('The wheel needs a push.');
    expect(wishIn('## Context\nThe log is empty. This is odd and should be said.\n', 60)).toContain(
      'The log',
    );
    expect(wishIn('', room)).toBe('');
  });
});

describe('a report', () => {
  it('names all of its changes, and shortens the long ones to what they are about', () => {
    const report = `Done.\n\n1. **Faster wheel** — ${'it turns with more water and '.repeat(8)}less noise\n2. \`src/gate.ts\`: Added a \`lock()\` that holds\n   - by night\n3. Removed the bell\n\nChecks:\n- lint passes\n- 12 tests pass`;
    const said = reportIn(report, 150).split(reportMark);
    expect(said[0]).toMatch(/^Faster wheel: it turns/);
    expect(said.slice(1)).toEqual(['`src/gate.ts`: Added a `lock()` that holds', 'Removed the bell']);
    expect(reportIn(report, 150).length).toBeLessThanOrEqual(150);
  });

  it('shows items whole or not at all, with what their heads lead to', () => {
    const report =
      '- If the gate is open → closes it and rings the bell, so that all hear it\n- If not → fixed: it waits\n- Added a lamp (of brass) and a rope';
    expect(reportIn(report, 200)).toBe(
      'If the gate is open → closes it and rings the bell, so that all hear it • If not → fixed: it waits • Added a lamp (of brass) and a rope',
    );
    const wide = `- \`a.ts\`: Added two bells: \`low\` (of iron), \`high\` (of brass), which ${'ring '.repeat(30)}\n- Removed \`b.ts\``;
    expect(reportIn(wide, 130)).toBe('`a.ts`: Added two bells: `low`, `high` • Removed `b.ts`');
  });

  it('names the thing that the sentence above it names, and is no list of options', () => {
    const table =
      'All clean.\n\n| File | Change |\n|:--|---|\n| `a.ts:3` | Added a bell |\n| `b.ts` | Oiled the axle of the wheel |\n';
    expect(reportIn(table, 200)).toBe('`a.ts`: Added a bell • `b.ts`: Oiled the axle of the wheel');
    expect(reportIn('| Run | End |\n|--|--|\n| first | good |\n| second | bad |\n', 200)).toBe('');
    const cause = '**Root cause:** The wheel was reset twice.\n\n1. Added a bell\n2. Removed the gate';
    expect(reportIn(cause, 200)).toBe('Added a bell • Removed the gate');
    expect(reportIn('Updated `mill.md` with:\n- Added the wheel\n- Removed the bell', 200)).toBe(
      'Updated `mill.md` with: Added the wheel • Removed the bell',
    );
    expect(reportIn('You have two options:\n1. Fixed oil\n2. Removed bell', 200)).toBe('');
    expect(reportIn('We could either:\n- set the gate\n- merged bells', 200)).toBe('');
  });

  it('may be steps that begin in bold', () => {
    const steps =
      '**Step 1 — Another gate of oak** (`old` → `new`):\n- `a.ts`\n\n**Step 2 — `Bell` added** below it.\n\n**Step 3 — Wall removed**';
    expect(reportIn(steps, 300)).toBe(
      'Another gate of oak (`old` → `new`): `a.ts` • `Bell` added below it • Wall removed',
    );
  });

  it('may be paragraphs that begin in bold; a list of other things is none', () => {
    expect(reportIn('**`a.ts`** — Added a gate\n- of oak\n\n**`b.ts`** — Removed a wall', 200)).toBe(
      '`a.ts` — Added a gate • `b.ts` — Removed a wall',
    );
    expect(reportIn('Two ways:\n- by cart\n- by ship', 200)).toBe('');
    expect(reportIn('All is well.', 200)).toBe('');
  });
});

describe('what a prompt asks, in a line', () => {
  it.each([
    ['The mill is loud. Can you oil the wheel?', 'The mill is loud. Can you oil the wheel?'],
    [
      `${'The mill is loud at night. '.repeat(8)}Can you oil the wheel? It squeaks.`,
      'Can you oil the wheel?',
    ],
    [
      'can you fix: 1. The wheel of the mill is too slow',
      'can you fix: 1. The wheel of the mill is too slow',
    ],
    ['Implement the following plan:\n\n# Plan: A quieter mill\n\nOil it.', 'Plan: A quieter mill'],
    ['> mill run\nfatal: no wind\nHALP', ''],
    ["yes, let's add this", ''],
    ['commit', ''],
    ["Generate a commit message but don't commit it", "Generate a commit message but don't commit it"],
    ['请让磨坊在夜里安静地工作', '请让磨坊在夜里安静地工作'],
    [
      `${'The mill is loud at night. '.repeat(8)}The bell rings at noon instead. Why does that happen?`,
      'The bell rings at noon instead. Why does that happen?',
    ],
    [
      `commit 1a2b3c4d5e6f\nAuthor: A Miller <a@mill.example>\n\nOH I think the wheel broke. ${'It squeaks. '.repeat(20)}`,
      'OH I think the wheel broke.',
    ],
    [', exit the mill and run', ''],
    [', and also fix the tests of the loader please', ', and also fix the tests of the loader please'],
  ])('%j', (prompt, line) => expect(asksIn(prompt)).toBe(line));
});

describe('an outcome', () => {
  it('is what was done rather than why it was wrong, and no caveat', () => {
    const reply =
      'The root cause was that the gate was reading a stale level. I fixed that in `gate.ts` by asking the sensor again.\n\nThe other slice still has the existing unrelated failure.';
    expect(outcomeIn(reply, 60)).toBe('I fixed that in `gate.ts` by asking the sensor again.');
    expect(outcomeIn(`**Fix**: Added the level to both queries.\n\n${reply}`, 60)).toBe(
      'Fix: Added the level to both queries.',
    );
  });

  it('is nothing that nobody has seen yet, nor a lead without its list', () => {
    const reply =
      'The script finds the new mill.\n\nTry running it again. This time we should see:\n1. Flour in the sack\n2. No noise';
    expect(outcomeIn(reply, 300)).toBe('The script finds the new mill.');
    expect(outcomeIn("Here's the changelog:", 300)).toBe('');
    expect(outcomeIn('All tests pass (12/12), lint clean.', 300)).toBe('');
    expect(outcomeIn('Replaced the gears in:\n\n- `a.ts`\n- `b.ts`', 300)).toBe('');
    expect(
      outcomeIn('Improved the mill:\n\n- The gate waits for water.\n- The sacks are counted.', 300),
    ).toBe('Improved the mill. The gate waits for water. The sacks are counted.');
  });
});
