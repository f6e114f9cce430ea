import { expect, it } from 'vitest';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checkOf, covers } from './check.ts';
import { checked } from './run.ts';

it.each([
  ['bazel test //...', 'Executed 2 out of 3 tests: 1 test passes and 1 fails locally.', 'failed'],
  ['bazel test //...', 'Executed 3 out of 3 tests: 3 tests pass.', 'passed'],
  ['black --check .', '2 files would be reformatted, 3 files would be left unchanged.', 'failed'],
  ['python manage.py test', 'FAILED (failures=1)', 'failed'],
  ['bin/rails test', '3 runs, 9 assertions, 0 failures, 0 errors, 0 skips', 'passed'],
  ['sbt test', '[error] Failed: Total 3, Failed 1, Errors 0, Passed 2', 'failed'],
  ['php artisan test', 'Tests:    1 failed, 2 passed (9 assertions)', 'failed'],
  ['ng test', 'Executed 12 of 12 (1 FAILED) (0.1 secs / 0.05 secs)', 'failed'],
])('%s behind a pipe, with the last line %j, has %s', (command, line, verdict) => {
  expect(checked(endedCommand(`${command} | tail -1`, [line]))).toBe(verdict);
});

it.each([
  ['python manage.py test', 'python manage.py test shop.tests'],
  ['bin/rails test', 'bin/rails test test/models/cart_test.rb'],
])('%s covers %s, and not the other way', (wide, narrow) => {
  expect(covers(checkOf(wide), checkOf(narrow))).toBe(true);
  expect(covers(checkOf(narrow), checkOf(wide))).toBe(false);
});
