import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onlyLooks, shared, stepsOf } from './steps.ts';

describe('the steps of a command', () => {
  test.each([
    ['cd /a/b && rtk npm run test -- --watch=false 2>&1 | tail -5', ['npm run test']],
    ['CI=1 timeout 60 npx vitest run src/mill', ['vitest']],
    [
      'git -C /a add x.ts && git commit -m "$(cat <<\'EOF\'\nrm -rf; echo\nEOF\n)"',
      ['git add', 'git commit'],
    ],
    ['go test -tags=a ./mill/... -run "TestA|TestB"', ['go test']],
    ['sed -n 1,3p a | cat -A', ['sed']],
    ['bash scripts/mill.sh --fast', ['bash mill.sh']],
    ['gh api repos/a/b/pulls/12/comments -f body="x"', ['gh write @repos/a/b/pulls/#/comments']],
    ['echo a; export B=1', []],
  ])('%j are %j', (command, steps) => {
    expect(stepsOf(command)).toEqual(steps);
  });

  test('that only look are told from those that work', () => {
    expect(onlyLooks(stepsOf('grep -r x . | head; git log -3'))).toBe(true);
    expect(onlyLooks(stepsOf('ls && npm test'))).toBe(false);
  });

  test('are shared by program, whatever was asked of a server', () => {
    expect(shared(stepsOf('gh api repos/a/1 -f x=1'), stepsOf('gh api repos/b/c/2 -f x=1'))).toBe(1);
    expect(shared(stepsOf('gh api repos/a/1 -f x=1'), stepsOf('gh api repos/a/1'))).toBe(0);
    expect(shared([], ['npm test'])).toBe(0);
  });

  test('are found in any text without fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => stepsOf(text).length >= 0),
    );
  });
});
