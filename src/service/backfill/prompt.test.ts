import { describe, expect, it } from 'vitest';
import { preparePrompt, promptCharsMax } from './prompt.ts';

const told = { sessionId: 's1', ts: '2026-05-04T03:02:01.750Z', text: 'grind the rye' };

describe('a prompt is', () => {
  it('the same when it is told again, and another at another time, in another session, in other words', () => {
    const [one] = preparePrompt(told);
    expect(one).toEqual({ ...told, id: expect.stringMatching(/^pr_[0-9a-f]{24}$/) });
    expect(preparePrompt({ ...told })).toEqual([one]);
    const others = [
      { ...told, ts: '2026-05-04T03:02:02.750Z' },
      { ...told, sessionId: 's2' },
      { ...told, text: 'grind' },
    ];
    expect(new Set([told, ...others].map((each) => preparePrompt(each)[0]?.id)).size).toBe(4);
  });

  it('redacted before it is cut, so that no half of a secret is left at the cut', () => {
    const secret = ['correct', 'horse', 'battery', '7'].join('-');
    for (let before = promptCharsMax * 0.6; before < promptCharsMax * 0.75; before += 7) {
      const text = `${'x '.repeat(before / 2)}DB_PASSWORD=${secret} ${'y '.repeat(promptCharsMax)}`;
      const [prompt] = preparePrompt({ ...told, text });
      expect(prompt?.text.length).toBeLessThanOrEqual(promptCharsMax);
      expect(prompt?.text).not.toMatch(/correct|horse|batter/);
    }
  });

  it('not kept at all when all of it is private', () => {
    expect(preparePrompt({ ...told, text: '<private>the recipe</private>' })).toEqual([]);
    const [rest] = preparePrompt({ ...told, text: 'bake <private>the recipe</private> now' });
    expect(rest?.text).toBe('bake <redacted:private> now');
  });
});
