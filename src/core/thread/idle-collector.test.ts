import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from './idle-collector.ts';

test('memory that nothing refers to is given back when asked, without a flag of Node', async () => {
  const left = new WeakRef({});
  // A reference that was read stays until the end of its turn.
  await nextTurn();
  collectGarbage();
  expect(left.deref()).toBeUndefined();
});
