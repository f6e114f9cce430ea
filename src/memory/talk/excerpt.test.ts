import { expect, test } from 'vitest';
import { askedWords, excerpts } from './excerpt.ts';

const said = [
  '# Plan: One queue',
  '## Context',
  'Every worker had a queue of its own. They grew apart.',
  '## Changes',
  'We keep **one queue** in sqlite, since redis lost jobs in a restart. Files match `src/**/*.queue.ts`.',
  'Nothing else changes.',
].join('\n');

test('shows the sentences around what was asked, and marks what is left out', () => {
  const part = excerpts(said, askedWords('why did redis lose jobs'))(104);
  expect(part).toBe(
    '… We keep one queue in sqlite, since redis lost jobs in a restart. Files match `src/**/*.queue.ts`. …',
  );
});

test('reads headings as sentences and bold as plain words; stars of a path stay', () => {
  expect(excerpts(said, askedWords('queue'))(1_000)).toBe(
    'Plan: One queue. Context. Every worker had a queue of its own. They grew apart. Changes. We keep one queue in sqlite, ' +
      'since redis lost jobs in a restart. Files match `src/**/*.queue.ts`. Nothing else changes.',
  );
});
