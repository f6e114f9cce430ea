import { describe, expect, it } from 'vitest';
import {
  conclusionIn,
  decisionsIn,
  isClaim,
  isCourtesy,
  onlyAnswers,
  optionChosen,
  requestIn,
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
  expect(decisionsIn("Let's use rye instead of wheat. Should we use oats instead of rye?", 'user')).toEqual([
    "Let's use rye instead of wheat.",
  ]);
  expect(decisionsIn('The gate stays open instead of shut.', 'assistant')).toEqual([]);
  expect(decisionsIn('We decided to keep the gate open.', 'assistant')).toEqual([
    'We decided to keep the gate open.',
  ]);
  for (const pasted of [
    'Instead of lines 235-236:',
    'The mill should use the old gate instead of a new one.',
  ])
    expect(decisionsIn(pasted, 'user')).toEqual([]);
});

it('a chosen option is the words of the reply that offered it', () => {
  const offered = '**Option 1:** Keep the gate open\n\n### Option 2: Shut the gate\n\nWhich one?';
  for (const prompt of ['option 2', "ok, let's go with Option 2.", 'yes do option 2', 'I like option 2'])
    expect([prompt, optionChosen(prompt, offered)]).toEqual([prompt, 'Option 2: Shut the gate']);
  for (const prompt of [
    ...["Option 2 doesn't work.", 'What does option 2 cost?', 'I like option 2, but not today'],
    ...['option 3', 'Compare option 1 and option 2'],
  ])
    expect([prompt, optionChosen(prompt, offered)]).toEqual([prompt, null]);
});
