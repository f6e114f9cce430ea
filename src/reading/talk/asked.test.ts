import { describe, expect, it } from 'vitest';
import { asksIn, isRemark, onlyStates, requestIn, spokenIn } from './index.ts';

describe('what is asked', () => {
  it.each([
    ['Remove the rust', 'Remove the rust'],
    ['fix it', ''],
    [
      'Never grind at night for a guest. The miller should be asked. Review what the wheel does at noon and at midnight, and make sure that each of its turns is counted, and none is counted twice.',
      'Never grind at night for a guest.',
    ],
    [
      'Build a view of the sacks. Should be shown when the miller looks at the wheel, whatever the weather is, with all that is known of each: who brought it, when it was ground, how fine, and for whom it waits.',
      'Build a view of the sacks.',
    ],
  ])('in %j is %j', (prompt, asked) => {
    expect(asksIn(prompt)).toBe(asked);
  });

  it('is not the row of a table, a prompt or an error that stands in a terminal', () => {
    const row = 'now I see for example:  2026-10-05-aa1  3    can you grind the rye?\n';
    const wish = 'I wonder if we could write the miller next to each sack, so we know whom to ask?';
    expect(
      asksIn(`${row}this is a sack that nobody fetched. ${wish} ${'It stands there. '.repeat(9)}`),
    ).toContain(wish);
    expect(
      asksIn(`Emptied the hopper, and now I get: > grind the rye?\n  The wheel does not turn`),
    ).not.toContain('grind the rye');
    expect(
      asksIn("❯ mill start\nPlease run 'mill start' from within a mill.\nError: no mill here\nnot in a mill"),
    ).toBe('Error: no mill here');
    // A colon and two spaces alone are no row.
    expect(asksIn('Change the label:  grind all the rye')).toBe('Change the label: grind all the rye');
  });

  it('says what `this` is, where the first sentence only points to it', () => {
    const more = 'The mill is run by two millers. ';
    const rest =
      'Neither knows what the other has ground, nor when, and the guests wait for their flour. '.repeat(2);
    expect(asksIn(`ok let's think this through. ${more}${rest}`)).toBe(
      "ok let's think this through. The mill is run by two millers.",
    );
    const where = 'Where would the stone have to be dressed?';
    expect(asksIn(`Ok, then maybe this is the gap? ${where} ${rest}`)).toBe(
      `Ok, then maybe this is the gap? ${where}`,
    );
    expect(asksIn(`Let's oil the axle. ${more}${rest}`)).toBe("Let's oil the axle.");
  });

  it('is nothing for what only informs', () => {
    expect(isRemark('context: the last miller left in the middle of the night.')).toBe(true);
    expect(isRemark('Additional context: we grind rye now. We are not short of wheat.')).toBe(true);
    expect(isRemark('additional context: we grind rye now, and have moved to the upper mill.')).toBe(true);
    expect(isRemark('context: rye. Can you grind it finer?')).toBe(false);
  });

  it('is below the heading of the own request, whatever stands above', () => {
    expect(spokenIn('# Open files:\n- a.ts\n\n## My request for the editor:\nOil the wheel')).toBe(
      'Oil the wheel',
    );
    expect(spokenIn("You are Mill.\n\n# User's Request\n\nRing the bell\ntwice")).toBe(
      'Ring the bell\ntwice',
    );
    expect(spokenIn('Fix it\n## My request\n')).toContain('Fix it');
  });

  it('is no line of a quotation, no printed line, and not half of two', () => {
    const padding =
      'The wheel turns slowly since the rain of the last week, and the miller sleeps badly; nobody knows what it was before the flood came. ';
    expect(
      asksIn(`can we say it shorter. ${padding}\nUse "oil" here\nOpen the gate, then leave"`),
    ).not.toContain('leave');
    expect(
      asksIn(`${padding}\n2026-01-06-cf564e14 1 can you add a bell?\nPlease close the gate. ${padding}`),
    ).toContain('close the gate');
    expect(asksIn(`[wheel.ts](src/wheel.ts) should turn faster`)).toBe('wheel.ts should turn faster');
    expect(
      asksIn(`Some gates have no lock so they are open. In src/gate.ts, add a lock. ${padding}${padding}`),
    ).toBe('In src/gate.ts, add a lock.');
    expect(requestIn(`Update \`turn\` to take a speed. Pass this into the mill. ${padding}`, 60)).toContain(
      'Update `turn`',
    );
  });

  it('is no greeting and no apology, and begins where it says what', () => {
    const rest =
      'It was not oiled since the flood of the last spring, and the miller wants to sleep again before the harvest comes in.';
    expect(
      asksIn(`Good morning, welcome to the mill. Two first jobs: Oil the axle of the wheel. ${rest}`),
    ).toBe('Two first jobs: Oil the axle of the wheel.');
    expect(
      asksIn(
        `oh sorry, I slept while it ground. Thanks for the flour of the last week. Lets sweep the floor. ${rest}`,
      ),
    ).toBe('Lets sweep the floor.');
    expect(
      asksIn(
        `ok so 2. ${rest} Hiding the key from the guests is no lie. That's only good housekeeping, right?`,
      ),
    ).toBe("Hiding the key from the guests is no lie. That's only good housekeeping, right?");
  });

  it('is no question of a program, no hint of one, and no log behind a sentence', () => {
    const asksBack = 'Shut the gate of the upper mill for the barge? [Y/n] n';
    expect(
      asksIn(
        `It stopped at night:\n\n${asksBack}\n${asksBack}\nTurning (3/40)\n\nI think we should keep it from doing this. ${'The miller was awake. '.repeat(6)}`,
      ),
    ).toBe('It stopped at night: I think we should keep it from doing this.');
    expect(
      asksIn(
        `This came when I ran "The Mill" [11:35:44.030] [wheel] turn 1 of 4 of the night\n[wheel] turn 2 of 4 of the night, and all of it is as slow as it was\nstderr: error: no grain 'spelt' for '--grain <KIND>'\n\nFor more information, try '--help'.\n(no stdout)`,
      ),
    ).toBe(`This came when I ran "The Mill" stderr: error: no grain 'spelt' for '--grain <KIND>'`);
  });

  it('is not the frame of an orchestrator, nor a pasted output', () => {
    const frame = `# Context\n\nYour name is Dusty, an agent of the mill.\n\n${'Answer in short words. '.repeat(60)}\n\n## Task\n\nGrind the rye of the second field.`;
    expect(spokenIn(frame)).toBe('Grind the rye of the second field.');
    const output = Array.from({ length: 24 }, (_, at) => `=== Step ${at}: grind\nok ${at}`).join('\n');
    expect(spokenIn(output)).toBe('');
    expect(spokenIn(`${output}\nWhy does it not stop at step twelve?`)).toBe(
      'Why does it not stop at step twelve?',
    );
  });
});

it('a prompt may only remark how things stand', () => {
  for (const remark of [
    'Nice work! This is a great wheel.',
    'so far the mill looks pretty good',
    "Perfect. I'll watch it over night.",
    'There it is. We tried to use a hammer to fix a watch.',
    "oh sorry, I'm back. It rained all night.",
    "there we go, you're learning",
    "you're absolutely right, the wheel turns left",
  ])
    expect(isRemark(remark)).toBe(true);
  for (const request of [
    'Great. The wheel is off on the left',
    'this is good but the gate is open',
    'looks good, next the bell',
    'this is nice, what about the gate?',
    'the mill grinds too coarsely',
    'Exactly. Paint the door too',
    'there it is, but the bell is missing',
    "I'm back, can you go on with the gate?",
  ])
    expect(isRemark(request)).toBe(false);
});

it('a message may only state something on the way', () => {
  for (const stated of [
    'this has happened twice at night, just so you know',
    'ooh, we heard the bell of the lower mill',
    '(it was the left wheel both times)',
    'hmm, I opened the gate, and now it works',
    'ok now it works',
    'great, this is working now!',
  ])
    expect(onlyStates(stated)).toBe(true);
  for (const asked of [
    'this has happened twice, why?',
    'paint the gate of the mill red',
    'it still squeaks at night',
    'the wheel is broken on the left',
    'we need the bell before noon',
    'now it works, next the bell on the gate',
    'it works but we just lost the left wheel',
    'o moinho ficou parado a noite toda',
  ])
    expect(onlyStates(asked)).toBe(false);
});

it('of a pasted output without a word of the user it asks for what went wrong', () => {
  const output =
    'Fetching grain from the upper mill...\nremote: entry to the store denied to miller[bot].\nfatal: no grain came';
  expect(asksIn(output)).toBe('remote: entry to the store denied to miller[bot].');
  expect(asksIn(`${output}\ncan we go in by the back door?`)).toMatch(/back door\?$/);
  const pasted = '$ grind fix\nError: we found no grain\nError: you have no key';
  expect(asksIn(pasted)).toBe('Error: we found no grain');
  expect(asksIn(`${pasted}\n\nPlease oil the wheel first.`)).toBe('Please oil the wheel first.');
  expect(asksIn('From mill:/upper\ncommit 1a2b3c4d5e\nAuthor: The Miller')).toBe('');
});

it('keeps the line or two of output that a sentence introduces, of more the failure', () => {
  expect(requestIn('put both in one line, so:\n✓ wheel oiled\n\nbecomes:\n✓ oiled', 200)).toBe(
    'put both in one line, so: ✓ wheel oiled. becomes: ✓ oiled',
  );
  expect(
    requestIn(
      'I turned the wheel and got these errors: [Wheel] Turn 1 of 4 begins at dawn\n[Wheel] Turn 2\n[Wheel] Turn failed with code 7\n[Gate] closed',
      300,
    ),
  ).toBe('I turned the wheel and got these errors: [Wheel] Turn failed with code 7');
});
