import { describe, expect, it } from 'vitest';
import { asksIn, requestIn, spokenIn } from './index.ts';

describe('what is asked', () => {
  it.each([
    ['Remove the rust', 'Remove the rust'],
    ['fix it', ''],
    [
      'Never grind at night for a guest. The miller should be asked. Review what the wheel does at noon and at midnight, and make sure that each of its turns is counted, and none is counted twice.',
      'Never grind at night for a guest.',
    ],
    [
      'Build a view of the sacks. Should be shown when the miller looks at the wheel, whatever the weather is, with all that is known of each: who brought it, when it was ground, how fine, and for whom it waits.',
      'Build a view of the sacks.',
    ],
  ])('in %j is %j', (prompt, asked) => {
    expect(asksIn(prompt)).toBe(asked);
  });

  it('is below the heading of the own request, whatever stands above', () => {
    expect(spokenIn('# Open files:\n- a.ts\n\n## My request for the editor:\nOil the wheel')).toBe(
      'Oil the wheel',
    );
    expect(spokenIn("You are Mill.\n\n# User's Request\n\nRing the bell\ntwice")).toBe(
      'Ring the bell\ntwice',
    );
    expect(spokenIn('Fix it\n## My request\n')).toContain('Fix it');
  });

  it('is no line of a quotation, no printed line, and not half of two', () => {
    const padding =
      'The wheel turns slowly since the rain of the last week, and the miller sleeps badly; nobody knows what it was before the flood came. ';
    expect(
      asksIn(`can we say it shorter. ${padding}\nUse "oil" here\nOpen the gate, then leave"`),
    ).not.toContain('leave');
    expect(
      asksIn(`${padding}\n2026-01-06-cf564e14 1 can you add a bell?\nPlease close the gate. ${padding}`),
    ).toContain('close the gate');
    expect(asksIn(`[wheel.ts](src/wheel.ts) should turn faster`)).toBe('wheel.ts should turn faster');
    expect(
      asksIn(`Some gates have no lock so they are open. In src/gate.ts, add a lock. ${padding}${padding}`),
    ).toBe('In src/gate.ts, add a lock.');
    expect(requestIn(`Update \`turn\` to take a speed. Pass this into the mill. ${padding}`, 60)).toContain(
      'Update `turn`',
    );
  });

  it('is not the frame of an orchestrator, nor a pasted output', () => {
    const frame = `# Context\n\nYour name is Dusty, an agent of the mill.\n\n${'Answer in short words. '.repeat(60)}\n\n## Task\n\nGrind the rye of the second field.`;
    expect(spokenIn(frame)).toBe('Grind the rye of the second field.');
    const output = Array.from({ length: 24 }, (_, at) => `=== Step ${at}: grind\nok ${at}`).join('\n');
    expect(spokenIn(output)).toBe('');
    expect(spokenIn(`${output}\nWhy does it not stop at step twelve?`)).toBe(
      'Why does it not stop at step twelve?',
    );
  });
});
