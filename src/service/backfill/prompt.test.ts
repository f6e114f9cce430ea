import { describe, expect, it } from 'vitest';
import { preparePrompt, promptCharsMax } from './prompt.ts';

const received = { sessionId: 's1', ts: '2026-05-04T03:02:01.750Z', text: 'grind the rye' };

describe('a prompt is', () => {
  it('is the same for the same prompt, and another for another time, session or text', () => {
    const [one] = preparePrompt(received);
    expect(one).toEqual({ ...received, id: expect.stringMatching(/^pr_[0-9a-f]{24}$/) });
    expect(preparePrompt({ ...received })).toEqual([one]);
    const others = [
      { ...received, ts: '2026-05-04T03:02:02.750Z' },
      { ...received, sessionId: 's2' },
      { ...received, text: 'grind' },
    ];
    expect(new Set([received, ...others].map((each) => preparePrompt(each)[0]?.id)).size).toBe(4);
  });

  it('redacted before it is cut, so that no half of a secret is left at the cut', () => {
    const secret = ['correct', 'horse', 'battery', '7'].join('-');
    for (let before = promptCharsMax * 0.6; before < promptCharsMax * 0.75; before += 7) {
      const text = `${'x '.repeat(before / 2)}DB_PASSWORD=${secret} ${'y '.repeat(promptCharsMax)}`;
      const [prompt] = preparePrompt({ ...received, text });
      expect(prompt?.text.length).toBeLessThanOrEqual(promptCharsMax);
      expect(prompt?.text).not.toMatch(/correct|horse|batter/);
    }
  });

  it('not kept at all when all of it is private', () => {
    expect(preparePrompt({ ...received, text: '<private>the recipe</private>' })).toEqual([]);
    const [rest] = preparePrompt({ ...received, text: 'bake <private>the recipe</private> now' });
    expect(rest?.text).toBe('bake <redacted:private> now');
  });
});
