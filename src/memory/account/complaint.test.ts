import { expect, it } from 'vitest';
import { complaintIn } from './complaint.ts';

it.each([
  ['ok  mill/wheel\n--- FAIL: TestRye (0.01s)\n    rye.go:7: got 2\nFAIL', '--- FAIL: TestRye (0.01s)'],
  ['src/rye.ts(7,3): error TS2322: no flour\n\nFound 1 error.', 'src/rye.ts(7,3): error TS2322: no flour'],
  ['checking\nError: the wheel is stuck\n    at turn', 'Error: the wheel is stuck'],
  ['12 pass\n1 fail\nRan 13 tests across 2 files.', '1 fail'],
  // Tests that pass print errors too.
  ['error: the gate is shut\n  at gate.test.ts:7\n\n 12 pass\n 1 fail\n 1 error', '1 fail'],
  [
    '# Unhandled error between tests\n-----\nerror: Cannot find the wheel\n-----\n\n 12 pass\n 1 fail',
    'error: Cannot find the wheel',
  ],
  [
    'error: the gate is shut\n(fail) mill > grinds rye [0.5ms]\n 12 pass\n 1 fail',
    '(fail) mill > grinds rye [0.5ms]',
  ],
  [
    'AssertionError: expected to be equal:\n+ actual - expected\n\n+ 2\n- 3',
    'AssertionError: expected to be equal: + 2 - 3',
  ],
  [
    'error: the gate is shut\n 13 pass\n 0 fail\nOn branch main\nno changes added to commit (use "git add")',
    'no changes added to commit (use "git add")',
  ],
  ['Error asking for versions, using already-installed 1.2\n✔ Found the wheel', ''],
  ['error: no cache, falling back to the river\nerror: the river is dry', 'error: the river is dry'],
  ['one\ntwo\n------\n', 'two'],
  ['> turn\nExit code:   SIGABRT\n ELIFECYCLE  Test failed. See above.\nResolving', 'Exit code: SIGABRT'],
  ['> tsc\nnpm error code E404\nnpm error 404 Not Found - rye', 'npm error 404 Not Found - rye'],
  ['hook\n ELIFECYCLE  failed.\nnothing to commit, tree clean', 'nothing to commit, tree clean'],
  // Which script a runner begins is no complaint: pnpm, npm without a name, Turborepo, Nx.
  ['> shop@1.0.0 test /shop\n> pnpm check-types\n\n> shop@1.0.0 check-types\n> tsc --noEmit\n', ''],
  ['\n> check-types\n> tsc --noEmit\n\n ELIFECYCLE  failed with code 2.', 'ELIFECYCLE failed with code 2.'],
  ['web:check-types: > web@0.0.0 check-types\nweb:check-types: > tsc --noEmit', ''],
  ['> nx run web:check-types\n\n> web@0.0.1 check-types\n> tsc --noEmit', ''],
  ['1,2c1,2\n< rye\n---\n> oat\n> spelt', '> spelt'],
  ['', ''],
])('of %j it is %j', (output, said) => {
  expect(complaintIn(output)).toBe(said);
});

it('looks only at the end of a long output', () => {
  expect(complaintIn(`Error: early\n${'fine\n'.repeat(10_000)}the end`)).toBe('the end');
});
