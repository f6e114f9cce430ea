import { expect, test } from 'vitest';
import { redactText } from '#redact/engine';
import { termsFrom } from './words.ts';

test('a word behind a placeholder that was left out does not look like a secret in its place', () => {
  const text =
    'machine example.org login me password <redacted:command-credentials>\nafterwards ENV API_SECRET <redacted:env>\nRUN x';
  const terms = termsFrom([text]);
  expect(terms).toContain('example.org');
  expect(redactText(terms).redactions).toBe(0);
});
