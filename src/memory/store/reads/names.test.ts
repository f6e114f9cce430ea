import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { sessionNamed } from './names.ts';

let made: TestStore;
beforeEach(() => {
  made = newStore();
  summarised(made.store, [eventAt(1)]);
});
afterEach(() => made.remove());

it('says of an unknown number that it is no memory either', () => {
  for (const given of ['999999', '#999999'])
    expect(() => sessionNamed(made.store.connection, given)).toThrow(
      `there is no memory or session "${given}"`,
    );
  expect(() => sessionNamed(made.store.connection, 'mill')).toThrow('there is no session "mill"');
});
