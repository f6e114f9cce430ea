import { expect, test } from 'vitest';
import { Turns, turnWorkMs } from './turns.ts';

/** Work that fills a turn. */
function long(): void {
  const end = performance.now() + turnWorkMs;
  while (performance.now() < end);
}

test('work is done at once while the turn has time', () => {
  const turns = new Turns();
  const done: number[] = [];
  for (let at = 0; at < 3; at += 1) expect(turns.run(() => done.push(at))).toBe(true);
  expect(done).toEqual([0, 1, 2]);
});

test('what a full turn has no time for is done in later ones, in order, with turns of others between', async () => {
  const turns = new Turns();
  const done: (number | string)[] = [];
  expect(turns.run(long)).toBe(true);
  for (let at = 0; at < 3; at += 1) {
    const work = (): void => {
      long();
      done.push(at);
    };
    expect(turns.run(work)).toBe(false);
  }
  while (done.filter((one) => one !== 'other').length < 3) {
    await new Promise((resolve) => setImmediate(resolve));
    done.push('other');
  }
  expect(done.filter((one) => one !== 'other')).toEqual([0, 1, 2]);
  for (const at of [0, 1]) expect(done.indexOf('other', done.indexOf(at))).toBeLessThan(done.indexOf(at + 1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns.run(() => {})).toBe(true);
});
