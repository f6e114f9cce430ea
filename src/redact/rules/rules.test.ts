import { describe, expect, it } from 'vitest';
import { samplesOf } from '../../../test/support/secrets.ts';
import { redactText } from '../engine/text.ts';
import { rules } from './index.ts';
import { patternTable } from './pattern-table.ts';

const samples = rules.flatMap((rule) => samplesOf(rule).map((sample) => ({ kind: rule.name, sample, rule })));

describe('the table of rules', () => {
  it('has more than 150 vendors or formats, each with a sample that its keywords and pattern find', () => {
    expect(new Set(rules.map((rule) => rule.name)).size).toBeGreaterThan(150);
    for (const rule of rules) expect(samplesOf(rule).length, rule.name).toBeGreaterThan(0);
  });

  it.each(samples)('$kind: redacts its sample', ({ sample }) => {
    const { text, redactions } = redactText(`before ${sample} after`);
    expect(redactions).toBeGreaterThan(0);
    expect(text.startsWith('before ')).toBe(true);
    expect(text).not.toContain(sample);
    expect(text).toMatch(/<redacted:[a-z0-9-]+>/);
  });

  it.each(samples)('$kind: redacts it in a JSON string after an escape', ({ sample }) => {
    const line = JSON.stringify(`see:\n${sample}\nend`);
    expect(redactText(line).text).not.toContain(JSON.stringify(sample).slice(1, -1));
  });

  it.each([
    'pa-this-is-a-long-branch-name-with-many-words-in-it-2',
    'feature/al-2026-11-27-the-new-page-of-search-in-version-12',
  ])('leaves a slug with the prefix of a format whole: %s', (slug) => {
    expect(redactText(`see ${slug} there`).redactions).toBe(0);
  });

  it('names kinds that a placeholder can hold', () => {
    for (const rule of rules) expect(rule.name).toMatch(/^[a-z][a-z0-9-]{1,40}$/);
  });

  it('is ASCII, since the build writes other characters of a raw text as escapes', () => {
    expect(patternTable).not.toMatch(/[^\n -~]/);
  });
});
