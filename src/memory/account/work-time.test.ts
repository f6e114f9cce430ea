import { expect, it } from 'vitest';
import type { ToolEvent } from '#core/event';
import { workMsIn } from '#core/event';
import { payloadOf } from '#memory/store';
import { Calls } from '../../../test/support/account/events.ts';
import { messageAt } from '../../../test/support/store/store.ts';
import { AccountFold } from './fold.ts';

/** The minutes that a session worked, of events at these minutes. */
function minutes(...events: readonly (readonly [at: number, event: ToolEvent])[]): number {
  const fold = new AccountFold();
  for (const [n, [at, event]] of events.entries()) {
    const ts = new Date(Date.UTC(2026, 0, 1, 12, at)).toISOString();
    fold.take({ seq: n + 1, ts, payloadJson: JSON.stringify(payloadOf(event)) });
  }
  return workMsIn(fold.account().worked) / 60_000;
}

const call = (make: (calls: Calls) => Calls): ToolEvent => {
  const [event] = make(new Calls()).events;
  if (event === undefined) throw new Error('no call');
  return event;
};
const asked = messageAt(0, 'user', 'Please make the mill grind rye');
const said = (text = 'The wheel turns.') => messageAt(1, 'assistant', text);
const edit = call((calls) => calls.edit('mill.ts', 'wheat', 'rye'));

it.each([
  ['an edit that somebody had to allow', edit],
  ['a look', call((calls) => calls.run('cat mill.ts | head -3'))],
  ['a plan that somebody read', call((calls) => calls.plan('# Grind rye'))],
  ['a refusal', call((calls) => calls.refuse('npm test'))],
  [
    'a command that may take a minute',
    { ...call((calls) => calls.run('npm test')), input: { command: 'npm test', timeout: 60_000 } },
  ],
])('ten minutes before %s are a pause', (_, event) =>
  expect(minutes([0, asked], [1, edit], [11, event], [12, said()])).toBe(2),
);

it.each([
  ['a build', call((calls) => calls.run('make release'))],
  ['a wait', call((calls) => calls.run('sleep 600; gh run view 3'))],
  ['an answer', said()],
])('ten minutes before %s are work', (_, event) =>
  expect(minutes([0, asked], [1, edit], [11, event])).toBe(11),
);

it('an agent works as long as it says', () => {
  const agent = call((calls) => calls.agent('general-purpose', 'Grind the rye'));
  const took = (ms: number) => ({ ...agent, output: { status: 'completed', totalDurationMs: ms } });
  expect(minutes([0, asked], [1, edit], [41, took(2_300_000)])).toBe(41);
  expect(minutes([0, asked], [1, edit], [41, took(60_000)])).toBe(1);
});

it('what goes on in the background wakes the assistant, and a person does not wait for it', () => {
  const output = { status: 'async_launched', taskId: 'w1' };
  const flow = { ...call((calls) => calls.run('x')), tool: 'Workflow', input: { script: 'x' }, output };
  expect(minutes([0, asked], [1, flow], [29, said()])).toBe(29);
  expect(minutes([0, asked], [1, edit], [29, said()])).toBe(1);
  expect(minutes([0, asked], [1, flow], [2, asked], [29, said()])).toBe(1);
});
