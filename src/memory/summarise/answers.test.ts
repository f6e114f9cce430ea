import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summaryCharsMax } from '#core/limits';
import { readAnswers, summaryTermsCharsMax } from './answers.ts';

const usage = { calls: 1, inputTokens: 10, outputTokens: 5 };
const read = (content: string, count: number) => readAnswers(content, count, usage);
const said = (...summaries: readonly unknown[]) => JSON.stringify({ summaries });
const one = { id: 1, text: 'One.', terms: 'a' };
const two = { id: 2, text: 'Two.', terms: 'b' };
const done = [
  { text: 'One.', terms: 'a' },
  { text: 'Two.', terms: 'b' },
];

describe('good answers', () => {
  test.each([
    ['in order', said(one, two)],
    ['in another order', said(two, one)],
    ['with ids as text', said({ ...one, id: '1' }, { ...two, id: '2' })],
    ['in a fence of blank lines', `\`\`\`json\n\n \n${said(one, two)}\n\n \`\`\``],
    ['in a fence', `Here you are:\n\`\`\`json\n${said(one, two)}\n\`\`\`\nAnything else?`],
    ['in prose', `Sure! ${said(one, two)} Done.`],
    ['after thinking aloud', `<think>{"id":1} or not</think>${said(one, two)}`],
    ['as a bare list', JSON.stringify([one, two])],
    ['with an id that nobody asked for', said(one, two, { id: 3, text: 'Three.', terms: '' })],
  ])('%s', (_, content) => {
    expect(read(content, 2)).toEqual({ kind: 'done', answers: done, usage });
  });

  test('a single answer without the list', () => {
    expect(read(JSON.stringify(one), 1)).toEqual({ kind: 'done', answers: [done[0]], usage });
  });

  test('terms may be missing, or a list', () => {
    const content = said({ id: 1, text: 'One.' }, { id: 2, text: 'Two.', terms: ['x.ts', 'E42', 5] });
    expect(read(content, 2)).toMatchObject({ answers: [{ terms: '' }, { terms: 'x.ts E42' }] });
  });
});

describe('good answers are kept when others are bad', () => {
  test.each([
    ['missing', said(one), /no answer for this event/],
    ['twice', said(one, two, { ...two, text: 'Other.' }), /several answers/],
    ['empty', said(one, { ...two, text: ' \u0007\n' }), /empty answer/],
    ['without text', said(one, { id: 2 }), /without text/],
    ['with text that is none', said(one, { ...two, text: 7 }), /without text/],
    ['with a broken id', said(one, { ...two, id: 2.5 }), /no answer for this event/],
  ])('%s', (_, content, error) => {
    const outcome = read(content, 2);
    expect(outcome).toMatchObject({
      kind: 'done',
      answers: [done[0], { error: expect.stringMatching(error) }],
    });
  });
});

describe('rejected', () => {
  test.each([
    ['nothing', ''],
    ['prose', 'I cannot help with that.'],
    ['JSON cut short', said(one, two).slice(0, -5)],
    ['another shape', '{"answer":42}'],
    ['null', 'null'],
    ['an empty list', said()],
    ['ids that nobody asked for', said({ ...one, id: 0 }, { ...two, id: 99 })],
    ['entries that are none', said(null, 5, 'x', [])],
    ['one answer, again and again', `[${'{"id":1},'.repeat(300_000)}{"id":1}]`],
    ['blank lines without end', `\`\`\`json\n${'\n'.repeat(300_000)}x`],
  ])('%s', (_, content) => {
    expect(read(content, 2)).toMatchObject({
      kind: 'rejected',
      error: expect.stringMatching(/^the model /),
      usage,
    });
  });
});

describe('text', () => {
  const textOf = (text: string) => {
    const outcome = read(said({ ...one, text }), 1);
    const answer = outcome.kind === 'done' ? outcome.answers[0] : undefined;
    return answer !== undefined && 'text' in answer ? answer.text : null;
  };

  test.each([
    ['two\nlines\tand  spaces ', 'two lines and spaces'],
    ['\u001b[31mred\u001b[0m and \u001b]8;;http://x\u0007link', 'red and link'],
    ['reversed \u202egnp.exe', 'reversed gnp.exe'],
    ['emoji 👩‍👩‍👧 stays, half \ud83d goes', 'emoji 👩‍👩‍👧 stays, half goes'],
    ['seen\u{e0041}\u{e0042}\u061c\u00ad only', 'seen only'],
    ['<redacted:env> & <b>markup</b> stay', '<redacted:env> & <b>markup</b> stay'],
  ])('%j', (text, shown) => {
    expect(textOf(text)).toBe(shown);
  });

  test('is bounded, cut at a word and marked', () => {
    const shown = textOf('word '.repeat(1_000)) ?? '';
    expect(shown.length).toBeLessThanOrEqual(summaryCharsMax);
    expect(shown).toMatch(/ word…$/);
  });
});

test('whatever a model says, there is one answer an event, bounded and clean, or none at all', () => {
  const entry = fc.record({
    id: fc.oneof(fc.integer({ min: -1, max: 6 }), fc.jsonValue()),
    text: fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }), fc.jsonValue()),
    terms: fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }), fc.jsonValue()),
  });
  const content = fc.oneof(
    fc.array(entry, { maxLength: 8 }).map((summaries) => JSON.stringify({ summaries })),
    fc.json(),
    fc.string(),
  );
  fc.assert(
    fc.property(content, fc.integer({ min: 1, max: 5 }), (text, count) => {
      const outcome = read(text, count);
      if (outcome.kind !== 'done') {
        expect(outcome.kind).toBe('rejected');
        return;
      }
      expect(outcome.answers).toHaveLength(count);
      for (const answer of outcome.answers) {
        if ('error' in answer) continue;
        expect(answer.text.trim()).not.toBe('');
        expect(answer.text.length).toBeLessThanOrEqual(summaryCharsMax);
        expect(answer.terms.length).toBeLessThanOrEqual(summaryTermsCharsMax);
        expect(answer.text + answer.terms).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
      }
    }),
  );
});
