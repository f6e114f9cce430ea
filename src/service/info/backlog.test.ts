import { expect, test } from 'vitest';
import { Backlog } from './backlog.ts';

const minute = 60_000;

/** The result for the last of the counts, one per minute. */
function after(...counts: number[]): number | null {
  const backlog = new Backlog();
  return counts.map((raw, at) => backlog.see(raw, at * minute)).at(-1) ?? null;
}

test('few that wait are no backlog, however long they do', () => {
  expect(after(...Array.from({ length: 30 }, () => 500))).toBeNull();
});

test('many that become no fewer are one after ten minutes', () => {
  const grows = Array.from({ length: 11 }, (_, at) => 501 + at);
  expect(after(...grows.slice(0, 10))).toBeNull();
  expect(after(...grows)).toBe(10 * minute);
});

test('many that become fewer are none, nor are those that came to an end in between', () => {
  expect(after(...Array.from({ length: 30 }, (_, at) => 9_000 - at))).toBeNull();
  expect(after(600, 600, 600, 600, 600, 600, 0, 600, 600, 600, 600, 600, 600)).toBeNull();
});
