import { afterEach, expect, test } from 'vitest';
import { queryTerms } from '#reading/terms';
import { type Memory, TestMemories } from '../../../test/support/search/memories.ts';
import { lexicalLeg } from './legs.ts';
import { sessionLeg } from './session-leg.ts';
import type { Shares } from './shares.ts';

const stores: TestMemories[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

function legOver(
  memories: readonly Memory[],
  query: string,
  shares: Shares = { session: 0, file: 0, talk: 0 },
) {
  const store = new TestMemories();
  stores.push(store);
  const { reads } = store;
  const ids = store.add(memories);
  const lexical = lexicalLeg(reads, queryTerms(query), null);
  const leg = sessionLeg(reads, lexical, reads.places(ids), () => 1, shares);
  return { ids, leg, measures: ids.map((id) => leg.found.get(id)?.measure ?? 0) };
}

const filler = Array.from({ length: 20 }, (_, at) => ({ text: `notes number ${at}`, session: `f${at}` }));

test('a term in a neighbouring call helps a call, one of another session does not', () => {
  const { leg, ids, measures } = legOver(
    [
      { text: 'raised the timeout', session: 'a' },
      { text: 'redis was slow', session: 'a' },
      { text: 'raised the timeout', session: 'b' },
      { text: 'redis was slow', session: 'c' },
      ...filler,
    ],
    'redis timeout',
  );
  const [near = 0, , apart = 0] = measures;
  expect(near).toBeGreaterThan(apart);
  expect([leg.supported.has(ids[0] ?? 0), leg.supported.has(ids[2] ?? 0)]).toEqual([true, false]);
});

test('calls without a session have no neighbours', () => {
  const { leg } = legOver(
    [{ text: 'timeout', session: '' }, { text: 'redis', session: '' }, ...filler],
    'redis timeout',
  );
  expect(leg.supported.size).toBe(0);
});

test('the same words around do not count again for each call', () => {
  const many = (text: string, session: string) => Array.from({ length: 8 }, () => ({ text, session }));
  const { measures } = legOver(
    [...many('redis', 'a'), { text: 'timeout of redis', session: 'b' }, ...filler],
    'redis timeout',
  );
  expect(measures[8]).toBe(Math.max(...measures));
});

test('it finds what the lexical leg found and nothing else; the start of a hash counts as its hash', () => {
  const { leg, ids } = legOver(
    [{ text: 'commit 4f2a9c81d0', session: 'a' }, { text: 'pushed', session: 'a' }, ...filler],
    '4f2a9c8',
  );
  expect([...leg.found.keys()]).toEqual([ids[0]]);
  expect(leg.found.get(ids[0] ?? 0)?.measure).toBeGreaterThan(0);
});

test('a call gains from the calls of its session however far, an edit from the other edits of its file there', () => {
  const far = Array.from({ length: 40 }, (_, at) => ({ text: `step ${at}`, session: 'a' }));
  const memories = [
    { text: 'Edited src/a.ts: redis', session: 'a', file: 'src/a.ts' },
    ...far,
    { text: 'Edited src/a.ts: redis timeout', session: 'a', file: 'src/a.ts' },
    { text: 'Edited src/b.ts: redis', session: 'a', file: 'src/b.ts' },
    { text: 'Edited src/a.ts: redis', session: 'b', file: 'src/a.ts' },
    ...filler,
  ];
  const gained = (more: { session: number; file: number }) => {
    const shares = { ...more, talk: 0 };
    const [withShares, without] = [
      legOver(memories, 'redis timeout', shares),
      legOver(memories, 'redis timeout'),
    ];
    const gains = withShares.measures.map((measure, at) => measure - (without.measures[at] ?? 0));
    return [0, far.length + 2, far.length + 3].map((at) => gains[at] ?? 0);
  };
  const [first = 0, other = 0, elsewhere = 0] = gained({ session: 1, file: 0 });
  expect(first).toBeCloseTo(other);
  expect(first).toBeGreaterThan(elsewhere);
  const [same = 0, another = 0] = gained({ session: 0, file: 1 });
  expect(same).toBeGreaterThan(another);
});

test('what is said in its turn lifts a call; one of a session without talk keeps its place', () => {
  const message = { role: 'user', turnId: null, agentId: null } as const;
  const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
  const memories = [
    { text: 'The redis timeout is too short', message, tool: 'Prompt', session: 'a', ts: at(1) },
    { text: 'Edited a.ts: timeout', session: 'a', ts: at(2) },
    { text: 'Now the colours', message, tool: 'Prompt', session: 'a', ts: at(3) },
    { text: 'Edited b.ts: timeout', session: 'a', ts: at(4) },
    { text: 'Edited c.ts: timeout', session: 'silent', ts: at(5) },
    ...filler,
  ];
  const shares = { session: 0, file: 0, talk: 0.5 };
  const [lifted, plain] = [legOver(memories, 'redis timeout', shares), legOver(memories, 'redis timeout')];
  const gain = (n: number): number => (lifted.measures[n] ?? 0) - (plain.measures[n] ?? 0);
  expect(gain(1)).toBeGreaterThan(0);
  expect(gain(3)).toBe(0);
  expect(gain(4)).toBeGreaterThan(0);
  expect([...lifted.leg.talk.keys()]).toEqual([lifted.ids[1]]);

  const level = legOver(memories, 'redis timeout', { ...shares, isLevel: true });
  const calls = new Set([1, 3, 4].map((at) => level.ids[at]));
  const orderOf = ({ leg }: typeof level) => [...leg.found.keys()].filter((id) => calls.has(id));
  expect(orderOf(level)).toEqual(orderOf(lifted));
  expect(level.measures[4]).toBeCloseTo(plain.measures[4] ?? 0, 9);
  expect(level.measures[1]).toBeLessThan(lifted.measures[1] ?? 0);
});

test('a short message gains from what was said just before, little from what was said long before', () => {
  const message = { role: 'user', turnId: null, agentId: null } as const;
  let minute = 9;
  // The same words at the same time are one message, repeated by a fork.
  const said = (text: string, session: string) => {
    minute += 1;
    return { text, message, tool: 'Prompt', session, ts: `2026-01-01T00:${minute}:00.000Z` };
  };
  const between = Array.from({ length: 6 }, (_, at) => said(`step ${at}`, 'far'));
  const { measures } = legOver(
    [
      ...[said('Is redis slow?', 'near'), said('Raise the timeout.', 'near')],
      ...[said('Is redis slow?', 'far'), ...between, said('Raise the timeout.', 'far')],
      ...filler,
    ],
    'redis timeout',
  );
  const [near = 0, far = 0] = [measures[1], measures[9]];
  expect(near).toBeGreaterThan(1.2 * far);
});
