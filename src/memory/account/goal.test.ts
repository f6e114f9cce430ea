import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountFold } from './fold.ts';
import { goalWords } from './words.ts';

function accountOf(...prompts: readonly string[]) {
  const fold = new AccountFold();
  fold.prompts(prompts);
  return fold.account();
}

const goal = (...prompts: readonly string[]): string => goalWords(accountOf(...prompts));

describe('the goal', () => {
  it('is the first request of substance, not a greeting or a chore', () => {
    expect(
      goal(
        'hi',
        'commit and push',
        'do you have access to the mill?',
        'the mill grinds too coarsely, find out why',
      ),
    ).toBe('the mill grinds too coarsely, find out why');
  });

  it('is whatever was said when nothing more was', () => {
    expect(goal('commit')).toBe('commit');
    expect(accountOf()).toMatchObject({ goal: null, last: null });
  });

  it('is not to go on with work that was named before, nor half of what was sent again', () => {
    expect(accountOf('Good morning. Please pick up where we left off.').goal).toBeNull();
    expect(goal('pick up where we left off', 'make the wheel turn faster')).toBe(
      'make the wheel turn faster',
    );
    expect(goal('make the wheel turn faster', 'make the wheel turn faster at noon')).toBe(
      'make the wheel turn faster at noon',
    );
  });

  it('may be two words that name the work, when they come first', () => {
    expect(goal('Implement mill-42', 'new tickets for the mill were added, do them')).toBe(
      'Implement mill-42',
    );
    expect(goal('fix wheelSpeed', 'then ring the bell of the mill')).toBe('fix wheelSpeed');
    expect(goal('fix it', 'ring the bell of the mill')).toBe('ring the bell of the mill');
    expect(goal('implement the plan')).toBe('implement the plan');
  });

  it('is not a remark about work that goes on', () => {
    expect(
      goal(
        'pick up where we left off',
        'context: the last session broke off in the night.',
        'you did not ring the bell already, did you?',
        'ok, we need to oil both wheels before the rain comes back',
      ),
    ).toBe('ok, we need to oil both wheels before the rain comes back');
    expect(goal('Great. This is a nice mill.', 'make the wheel turn faster')).toBe(
      'make the wheel turn faster',
    );
  });

  it('leaves permissions and remarks out of the last request', () => {
    const { last, decided, requests } = accountOf(
      'make the wheel turn faster',
      'then oil the gate as well',
      'I permit you to push without the hook',
      'so far it looks really good',
    );
    expect(last?.text).toBe('then oil the gate as well');
    expect(decided.map(({ text }) => text)).toEqual(['I permit you to push without the hook']);
    expect(requests.map(({ text }) => text)).not.toContain('so far it looks really good');
  });

  it('may be to push on, which is no push', () => {
    const said = (prompt: string) => accountOf('make the wheel turn faster', prompt).last?.text;
    expect(said('push on with the third stone')).toBe('push on with the third stone');
    expect(said('push it')).toBeUndefined();
  });

  it('of a plan is its title and what it is for', () => {
    const plan =
      '# Plan: Quieter `mill`\n\n## Context\n\nThe mill wakes the miller. Two problems:\n\n- the **wheel**';
    expect(goal(`Implement the following plan:\n\n${plan}`)).toBe(
      "Quieter 'mill' (plan): The mill wakes the miller. Two problems: the wheel",
    );
    const listOnly = '# Plan: Mill\n\n## Context\n\nThe user wants to:\n\n1. **grind** at night';
    expect(goal(`Implement the following plan:\n\n${listOnly}`)).toBe(
      'Mill (plan): The user wants to: grind at night',
    );
  });

  it('stands without the command and the pasted block around it', () => {
    expect(goal('/plan grind the rye at night ```\nlog\n``` please')).toBe('grind the rye at night please');
  });

  it('counts words in scripts that put no spaces', () => {
    expect(goal('好', '请让磨坊在夜里安静地工作')).toBe('请让磨坊在夜里安静地工作');
  });
});

describe('the last request', () => {
  const first = 'make the wheel turn faster at noon';
  const last = (...prompts: readonly string[]) => accountOf(first, ...prompts).last?.text ?? null;

  it('is the last one that asks for something', () => {
    const turn = 'no, stop that and build a second wheel instead';
    expect(last(turn, 'paint the new wheel red and white', 'commit')).toBe(
      'paint the new wheel red and white',
    );
    expect(last(turn, 'yes, and paint it red and white', 'go on')).toBe('yes, and paint it red and white');
    expect(last(turn, 'commit and update the changelog', 'push')).toBe('commit and update the changelog');
    expect(last(turn, 'Remove the rust', 'thanks')).toBe('Remove the rust');
  });

  it.each(['yes, that sounds good to me now', 'go on please', 'yes', 'commit'])('%j is none', (reply) => {
    expect(last(reply)).toBeNull();
  });
});

it('keeps near its room with whole sentences, on one line each, whatever was said', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (prompts) => {
      const { goal: found, last } = accountOf(...prompts);
      for (const line of [found?.title, found?.text, found?.short, last?.text]) {
        expect(line?.length ?? 0).toBeLessThanOrEqual(1_000);
        expect(line ?? '').not.toMatch(/[\r\n]/);
      }
    }),
  );
});
