import { expect, it } from 'vitest';
import { CheckBook } from './checks.ts';

function book(...runs: readonly (readonly [string, 'ok' | 'bad'])[]): CheckBook {
  const checks = new CheckBook();
  for (const [name, end] of runs) checks.ended(name, end === 'ok', () => `${name} broke`);
  return checks;
}

const failed = (checks: CheckBook) =>
  checks.failed().map(({ name, fixed, failures }) => [name, fixed, failures]);

it('lists each failed check with its failures and whether it passed since, the open ones first', () => {
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

it('counts a later pass of a larger run, or of its parts, as fixed', () => {
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

it('counts a run with more options, or with fixes, as the same check', () => {
  const runs = [
    ['go test ./mill -run Rye', 'go test ./mill'],
    ['bun run lint:fix', 'bun run lint'],
  ] as const;
  for (const [bad, ok] of runs) expect(failed(book([bad, 'bad'], [ok, 'ok']))).toEqual([[bad, true, 1]]);
});

it('does not count as fixed what passed before, on other files, or as another script', () => {
  const runs = [
    ['go test ./mill', 'go test ./wheel'],
    ['npm test', 'npm test rye'],
    ['bun run lint', 'bun run test'],
  ] as const;
  for (const [bad, ok] of runs) expect(failed(book([bad, 'bad'], [ok, 'ok']))).toEqual([[bad, false, 1]]);
  expect(failed(book(['npm test', 'ok'], ['npm test', 'bad']))).toEqual([['npm test', false, 1]]);
});

it('names single tests while the check that they failed in has not passed since', () => {
  const open = book(['npm test', 'bad'], ['test:grinds rye', 'bad'], ['make lint', 'ok']);
  expect(open.failingTests()).toEqual(['grinds rye']);
  expect(failed(open)).toEqual([['npm test', false, 1]]);
  open.ended('npm test', true, () => '');
  expect(open.failingTests()).toEqual([]);
});
