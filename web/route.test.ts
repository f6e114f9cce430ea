import fc from 'fast-check';
import { expect, it } from 'vitest';
import { home, readRoute, views, writeRoute } from './route.ts';

it('reads what it has written', () => {
  const text = fc.string({ unit: 'grapheme' });
  const route = fc.record({
    view: fc.constantFrom(...views),
    query: text,
    open: fc.option(fc.integer({ min: 1 })),
    kind: text,
    session: text,
    tool: text,
    since: text,
    until: text,
    at: fc.option(fc.integer({ min: 1 })),
    path: text,
    find: text,
    outcome: text,
    client: text,
  });
  fc.assert(
    fc.property(route, (one) => {
      expect(readRoute(writeRoute(one))).toEqual(one);
    }),
  );
});

it('shows the front page for an unknown fragment', () => {
  for (const hash of ['', '#', '#/nowhere', '#code=00', '#/home?open=-3', '#/home?open=x&&=']) {
    expect(readRoute(hash)).toEqual(home);
  }
});
