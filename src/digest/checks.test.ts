import { expect, it } from 'vitest';
import { CheckBook } from './checks.ts';

function book(...runs: readonly (readonly [string, 'ok' | 'bad'])[]): CheckBook {
  const checks = new CheckBook();
  for (const [name, end] of runs) checks.ended(name, end === 'ok', () => `${name} broke`);
  return checks;
}

const failed = (checks: CheckBook) =>
  checks.failed().map(({ name, mended, failures }) => [name, mended, failures]);

it('tells of each check that failed how often, and whether it passed since; the open ones first', () => {
  const checks = book(
    ['make lint', 'bad'],
    ['make lint', 'ok'],
    ['npm test', 'ok'],
    ['npm test', 'bad'],
    ['npm test', 'bad'],
  );
  expect(failed(checks)).toEqual([
    ['npm test', false, 2],
    ['make lint', true, 1],
  ]);
  expect(checks.failed()[0]?.said).toBe('npm test broke');
  expect(checks.last()).toMatchObject({ name: 'npm test', passedLast: false });
});

it('takes a later pass of the same program over more, or of its parts, for mended', () => {
  expect(failed(book(['go test ./mill', 'bad'], ['go test ./...', 'ok']))).toEqual([
    ['go test ./mill', true, 1],
  ]);
  expect(failed(book(['make lint && npm test', 'bad'], ['make lint', 'ok'], ['npm test', 'ok']))).toEqual([
    ['make lint && npm test', true, 1],
  ]);
  expect(failed(book(['bun run lint:fix', 'bad'], ['bun run lint', 'ok']))).toEqual([
    ['bun run lint:fix', true, 1],
  ]);
  expect(failed(book(['make lint && npm test', 'bad'], ['make lint', 'ok']))).toEqual([
    ['make lint && npm test', false, 1],
  ]);
});

it('does not take a pass from before, or of another script of the same runner', () => {
  expect(failed(book(['go test ./...', 'ok'], ['go test ./mill', 'bad']))).toEqual([
    ['go test ./mill', false, 1],
  ]);
  expect(failed(book(['bun run lint', 'bad'], ['bun run test', 'ok']))).toEqual([['bun run lint', false, 1]]);
});

it('names single tests only while nothing has passed since', () => {
  const open = book(['npm test', 'bad'], ['test:grinds rye', 'bad']);
  expect(open.failingTests()).toEqual(['grinds rye']);
  expect(failed(open)).toEqual([['npm test', false, 1]]);
  open.ended('npm test', true, () => '');
  expect(open.failingTests()).toEqual([]);
});
