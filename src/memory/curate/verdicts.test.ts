import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVerdicts, verdictReasonCharsMax } from './verdicts.ts';

const entry = (id: number, more: object = {}) => ({
  id,
  reason: 'The port was 3000 and is 4000.',
  outdated: 'older',
  verdict: 'supersedes',
  ...more,
});
const say = (...verdicts: readonly unknown[]): string => JSON.stringify({ verdicts });
const reason = 'The port was 3000 and is 4000.';

describe('an answer', () => {
  test('has a verdict for each pair, in whatever order they come', () => {
    expect(readVerdicts(say(entry(2, { verdict: 'neither', outdated: 'none' }), entry(1)), 2)).toEqual({
      kind: 'judged',
      verdicts: [
        { verdict: 'supersedes', reason },
        { verdict: 'neither', reason },
      ],
    });
  });

  test('may stand in a fence or behind thoughts', () => {
    const content = `<think>hm {</think>\nHere:\n\`\`\`json\n${say(entry(1))}\n\`\`\``;
    expect(readVerdicts(content, 1)).toMatchObject({ kind: 'judged' });
  });

  test.each([
    ['prose', 'Everything is superseded.'],
    ['nothing', ''],
    ['cut short', say(entry(1), entry(2)).slice(0, -30)],
    ['of another shape', '{"answer": 42}'],
    ['empty', say()],
    ['one too few', say(entry(1))],
    ['one too many', say(entry(1), entry(2), entry(3))],
    ['one twice', say(entry(1), entry(1))],
    ['all, and one twice', say(entry(1), entry(2), entry(2))],
    ['counted from zero', say(entry(0), entry(1))],
    ['for a pair that was not asked about', say(entry(1), entry(77))],
    ['without ids', say({ ...entry(1), id: null }, entry(2))],
  ])('that is %s is trusted for no pair', (_, content) => {
    expect(readVerdicts(content, 2)).toMatchObject({
      kind: 'rejected',
      error: expect.stringMatching(/^the model/),
    });
  });

  test.each([
    ['the wrong way round', { outdated: 'newer' }],
    ['that replaces nothing', { outdated: 'none' }],
    ['without saying what is outdated', { outdated: undefined }],
    ['a contradiction with one side outdated', { verdict: 'contradicts' }],
    ['of an unknown kind', { verdict: 'deletes' }],
    ['of no kind', { verdict: 7 }],
    ['without a reason', { reason: ' \u200b ' }],
    ['with a reason that is no text', { reason: { text: 'x' } }],
  ])('%s fails alone', (_, more) => {
    expect(readVerdicts(say(entry(1), entry(2, more)), 2)).toEqual({
      kind: 'judged',
      verdicts: [{ verdict: 'supersedes', reason }, { error: expect.stringMatching(/^the model/) }],
    });
  });

  test('gives reasons that are one clean line, redacted and bounded', () => {
    const secret = `AKIA${'IOSFODNN7EXAMPLE'}`;
    const reason = `\u001b[31mold\n\nkey ${secret} ${'and more '.repeat(100)}`;
    const read = readVerdicts(say(entry(1, { reason })), 1);
    const [verdict] = read.kind === 'judged' ? read.verdicts : [];
    const said = verdict !== undefined && 'reason' in verdict ? verdict.reason : '';
    expect(said).toMatch(/^old key <redacted:[a-z-]+> and more/);
    expect(said).not.toContain(secret);
    expect(said.length).toBeLessThanOrEqual(verdictReasonCharsMax);
  });

  test('of any text is one verdict a pair, or none', () => {
    const value = fc.oneof(fc.jsonValue(), fc.record({ verdicts: fc.array(fc.jsonValue()) }));
    const texts = fc.oneof(
      fc.string(),
      value.map((one) => JSON.stringify(one)),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 4 }), (content, count) => {
        const read = readVerdicts(content, count);
        if (read.kind === 'judged') expect(read.verdicts).toHaveLength(count);
        else expect(read.kind).toBe('rejected');
      }),
    );
  });
});
