import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goalOf } from './goal.ts';

const goal = (...prompts: readonly string[]) => goalOf(prompts, 200);

describe('the goal', () => {
  it('is the first request of substance, not a greeting or a chore', () => {
    expect(
      goal(
        'hi',
        'commit and push',
        'do you have access to the mill?',
        'the mill grinds too coarsely, find out why',
      )?.goal,
    ).toBe('the mill grinds too coarsely, find out why');
  });

  it('is whatever was said when nothing more was', () => {
    expect(goal('commit')).toEqual({ goal: 'commit', later: null });
    expect(goal()).toBeNull();
  });

  it('of a plan is its title and what it is for', () => {
    const plan =
      '# Plan: Quieter `mill`\n\n## Context\n\nThe mill wakes the miller. Two problems:\n\n- the **wheel**';
    expect(goal(`Implement the following plan:\n\n${plan}`)?.goal).toBe(
      "Quieter 'mill' (plan): The mill wakes the miller. Two problems: the wheel",
    );
    const listOnly = '# Plan: Mill\n\n## Context\n\nThe user wants to:\n\n1. **grind** at night';
    expect(goal(`Implement the following plan:\n\n${listOnly}`)?.goal).toBe(
      'Mill (plan): The user wants to: grind at night',
    );
  });

  it('stands without the command and the pasted block around it', () => {
    expect(goal('/plan grind the rye at night ```\nlog\n``` please')?.goal).toBe(
      'grind the rye at night please',
    );
  });

  it('counts words in scripts that put no spaces', () => {
    expect(goal('好', '请让磨坊在夜里安静地工作')?.goal).toBe('请让磨坊在夜里安静地工作');
  });
});

describe('a change of direction', () => {
  const first = 'make the wheel turn faster at noon';

  it('is the last request that turns elsewhere, else the last of substance', () => {
    const turn = 'no, stop that and build a second wheel instead';
    expect(goal(first, turn, 'paint the new wheel red and white')?.later).toBe(turn);
    expect(goal(first, 'paint the new wheel red and white', 'commit')?.later).toBe(
      'paint the new wheel red and white',
    );
  });

  it.each([
    'commit and update the changelog',
    'yes, that sounds good to me now',
    'summarize what you have done so far',
    'and the wheel?',
  ])('%j is none', (reply) => {
    expect(goal(first, reply)?.later).toBeNull();
  });
});

it('keeps near its room with whole sentences, on one line each, whatever was said', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.integer({ min: 10, max: 300 }),
      (prompts, max) => {
        const found = goalOf(prompts, max);
        for (const line of [found?.goal ?? '', found?.later ?? '']) {
          expect(line.length).toBeLessThanOrEqual(2 * max);
          expect(line).not.toMatch(/[\r\n]/);
        }
      },
    ),
  );
});
