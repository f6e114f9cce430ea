import { expect, test } from 'vitest';
import { askedWords, excerpts, passageIn } from './excerpt.ts';

const said = [
  '# Plan: One queue',
  '## Context',
  'Every worker had a queue of its own. They grew apart.',
  '## Changes',
  'We keep **one queue** in sqlite, since redis lost jobs in a restart; e.g. those of a mail. Files match `src/**/*.queue.ts`.',
  '- Nothing else changes.',
].join('\n');

test('gives the sentences around what was asked as they are written', () => {
  expect(passageIn(said, askedWords('why did redis lose jobs'), 130)).toBe(
    'We keep **one queue** in sqlite, since redis lost jobs in a restart; e.g. those of a mail. Files match `src/**/*.queue.ts`.',
  );
  expect(passageIn(said, askedWords('worker queues growing'), 60)).toBe(
    'Every worker had a queue of its own. They grew apart.',
  );
  expect(passageIn(said, askedWords('redis'), 1_000)).toBe(said);
});

test('prefers words next to each other, and what the summary says where words are as many', () => {
  const filler = 'The mill stands still. '.repeat(9);
  const text = `The wheel is old. ${filler}\nThe oak wheel turns. ${filler}\nOak is dear this year. ${filler}`;
  expect(passageIn(text, askedWords('oak wheel'), 24)).toBe('The oak wheel turns.');
  const twice = `The sluice is old. ${filler}The sluice gate opens at six.`;
  expect(passageIn(twice, askedWords('sluice'), 40)).toBe('The sluice is old.');
  const summary = 'The sluice gate opens at six.';
  expect(passageIn(twice, askedWords('sluice'), 40, summary)).toBe(summary);
});

test('finds a word in any of its forms and within a name, not within another word', () => {
  const filler = 'Nothing of interest is here. '.repeat(9);
  const text = `A precache. ${filler}\nThe policies of warmCache() hold. ${filler}`;
  expect(passageIn(text, askedWords('caching policy'), 40)).toBe('The policies of warmCache() hold.');
});

test('cuts a sentence that is too long around the first asked word, between words and not within a character', () => {
  const long = `${'grain '.repeat(60)}redis ${'flour '.repeat(60)}`.trim();
  const part = passageIn(long, askedWords('redis'), 80);
  expect(part).toMatch(/^grain .*\bredis flour( flour)*$/);
  expect(part.length).toBeLessThanOrEqual(80);
  expect(passageIn('😀'.repeat(90), askedWords('x'), 81)).toBe('😀'.repeat(40));
});

test('on one line, marks what is left out', () => {
  expect(excerpts(said, askedWords('why did redis lose jobs'))(134)).toBe(
    '… We keep **one queue** in sqlite, since redis lost jobs in a restart; e.g. those of a mail. Files match `src/**/*.queue.ts`. …',
  );
  expect(excerpts('A\nB  c', askedWords('x'))(10)).toBe('A B c');
});
