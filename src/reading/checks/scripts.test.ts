import { expect, it, test } from 'vitest';
import type { Call } from '#reading/call';
import { readStored } from '#reading/call';
import { CheckHistory, checkOf, commandRun, covers } from './index.ts';

const called = (command: string, output = '', failed = false): Call => {
  const stored = { tool: 'Bash', input: { command }, output, cwd: '/mill', isError: failed };
  const call = readStored(JSON.stringify(stored));
  if (call === null) throw new Error(command);
  return call;
};

/** The checks of a command, each with its folder and its end. */
function ended(...of: Parameters<typeof called>): string[] {
  const history = new CheckHistory<null>();
  history.take(called(...of), '/mill', () => null);
  return history.all().map(({ place, name, passedLast }) => `${place}: ${name} ${passedLast ? 'ok' : 'bad'}`);
}

test.each([
  ['cd wheel && npm test; Push-Location ../axle; npm run lint', ['axle: npm run lint ok']],
  ['cd wheel && npm test && cd ../axle && npm test', ['wheel: npm test ok', 'axle: npm test ok']],
  ['cd /mill/wheel && npm test && cd /mill/axle && npm test', ['wheel: npm test ok', 'axle: npm test ok']],
  ['(cd wheel && npm test) && npm run lint', ['wheel: npm test ok', ': npm run lint ok']],
  ['pushd wheel && npm test && popd && npm run lint', ['wheel: npm test ok', ': npm run lint ok']],
  ['cd wheel && npm test && cd - && npm run lint', ['wheel: npm test ok', ': npm run lint ok']],
  ['cd wheel || exit 1; npm test', ['wheel: npm test ok']],
  ['bash -c "cd wheel && npm test" && npm run lint', ['wheel: npm test ok', ': npm run lint ok']],
  ['Set-Location -Path wheel; Write-Host x; Set-Location axle; npm test', ['wheel/axle: npm test ok']],
  ['HASH=$(cd wheel && git rev-parse HEAD); npm test', [': npm test ok']],
  ['while read part; do cd wheel; done; npm test', [': npm test ok']],
  // Nobody knows where a variable leads.
  ['git pull && cd $AXLE && npm test', [': npm test ok']],
])('the checks of %j run where the script has gone', (command, expected) =>
  expect(ended(command)).toEqual(expected),
);

it('several that ran in several folders fail as one, where nothing shows which', () => {
  expect(ended('cd wheel && npm test && cd ../axle && npm run lint', 'x', true)).toEqual([
    'wheel: npm test && npm run lint bad',
  ]);
});

test.each([
  ['while ! npm test; do sleep 3; done', ': npm test ok'],
  ['until npm test; do sleep 3; done; git push', ': npm test ok'],
  ['timeout 60 bash -c "until npm test; do sleep 1; done"', ': npm test ok'],
  ['cd wheel && until make check; do sleep 1; done', 'wheel: make check ok'],
])('%j ends when its check has passed, whatever the tries before it printed', (command, expected) => {
  expect(ended(command, 'Tests: 1 failed, 2 passed\nTests: 3 passed')).toEqual([expected]);
});

test.each([
  'until curl -sf localhost; do sleep 1; done',
  'while read line; do echo $line; done',
  'until npm test; do n=$((n+1)); [ $n -gt 3 ] && break; done',
  'while npm test; do :; done',
  'until npm test || [ $n -gt 3 ]; do sleep 1; done',
  'until npm test | tail -3; do sleep 1; done',
  'while ! npm test | grep -q passed; do sleep 1; done',
  'until { npm test; true; }; do sleep 1; done',
  'timeout 9 bash -c "until npm test; do sleep 1; done"; echo over',
])('%j waits for no check', (command) => expect(commandRun(called(command)).checks).toEqual([]));

it('of a loop that a time limit ended nobody knows how the next try goes', () => {
  const call = called('timeout 9 bash -c "until npm test; do sleep 1; done"', 'Exit code 124', true);
  expect(commandRun(call).checks).toMatchObject([{ name: 'npm test', verdict: 'unknown' }]);
});

test.each([
  ['npm test -w wheel -w axle', 'npm test -w axle', true],
  ['npm test -w wheel -w axle', 'npm test -w axle -w wheel', true],
  ['npm test -w axle', 'npm test -w wheel -w axle', false],
  ['npm test -w wheel -w axle', 'npm test', false],
  ['npm test', 'npm test -w wheel -w axle', true],
  ['pnpm --filter wheel --filter axle test', 'pnpm --filter wheel test', true],
])('%j proves %j: %s', (wide, narrow, expected) =>
  expect(covers(checkOf(wide), checkOf(narrow))).toBe(expected),
);
