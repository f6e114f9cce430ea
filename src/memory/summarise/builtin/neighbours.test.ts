import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import type { Payload } from '../../../core/event/index.ts';
import { earlierCallsMax, neighbourCharsMax, summaryCharsMax } from '../../../core/limits.ts';
import { draftSummary } from './draft.ts';
import { hasNeighbours, neighbourClause, withoutClause } from './neighbours.ts';

const run = (command: string, output: string, isError = false): Payload =>
  sampleCall('Bash', { command }, output, { isError });
const edit = (file: string, before = 'let a = 1;', after = 'let a = 2;'): Payload =>
  sampleCall('Edit', { file_path: `/home/dev/shop/${file}`, old_string: before, new_string: after }, 'ok');
const read = (file: string): Payload => sampleCall('Read', { file_path: file }, 'text');

const failing =
  'Exit code 1\n FAIL  src/cart.test.ts > adds a line twice\nAssertionError: expected 3 to be 4\n ❯ src/cart.test.ts:41:7\nTests  1 failed | 40 passed (41)\n';
const failed = run('npm test', failing, true);
const passing = run('npm test 2>&1 | tail -5', 'Tests  41 passed (41)');

/** The clause of the last of `calls`. */
function clause(...calls: readonly Payload[]): string {
  const [last, ...earlier] = calls.toReversed();
  return last === undefined ? '' : neighbourClause(last, earlier);
}

describe('a check that passes', () => {
  it('after it failed says what was wrong and what was changed in between', () => {
    expect(clause(failed, edit('src/a.ts'), edit('src/b.ts'), edit('src/a.ts'), passing)).toBe(
      'Passed after failing 4 calls before (adds a line twice: expected 3 to be 4); changed in between: src/a.ts, src/b.ts',
    );
  });

  it('names the command in between where there is no edit, and nothing without either', () => {
    const lint = run('npm run lint', 'src/a.ts:3:1: unexpected var', true);
    const clean = run('npm run lint', 'no problems');
    expect(clause(lint, run('npm run lint:fix', 'fixed 1'), clean)).toBe(
      'Passed after failing 2 calls before (src/a.ts:3:1: unexpected var); ran in between: `npm run lint:fix`',
    );
    expect(clause(lint, read('a.ts'), clean)).toBe(
      'Passed after failing 2 calls before (src/a.ts:3:1: unexpected var)',
    );
  });

  it('counts files that commands changed, and none outside the folder', () => {
    const outside = sampleCall('Write', { file_path: '/tmp/notes.txt', content: 'x' }, 'ok');
    expect(clause(failed, outside, run('git mv src/a.ts src/c.ts', ''), passing)).toContain(
      'in between: src/a.ts, src/c.ts',
    );
  });

  it('says nothing when it passed before, or never ran', () => {
    expect(clause(failed, passing, passing)).toBe('');
    expect(clause(edit('src/a.ts'), passing)).toBe('');
    expect(clause(run('npm run build', 'no', true), passing)).toBe('');
  });

  it('says so of a command that is no check only when something was changed', () => {
    const broken = run('node migrate.js', 'Error: no such table: carts', true);
    expect(clause(broken, edit('schema.sql'), run('node migrate.js', 'done'))).toBe(
      'Passed after failing 2 calls before (no such table: carts); changed in between: schema.sql',
    );
    expect(clause(broken, run('node migrate.js', 'done'))).toBe('');
  });
});

describe('a check that fails', () => {
  it('as before in spite of a change', () => {
    expect(clause(failed, edit('src/a.ts'), failed)).toBe(
      'Still fails as 2 calls before; changed in between: src/a.ts',
    );
  });

  it('otherwise than before', () => {
    const other = run('npm test', 'FAIL  src/tax.test.ts > rounds\nError: no', true);
    expect(clause(failed, edit('src/a.ts'), other)).toBe(
      'Fails otherwise than 2 calls before; changed in between: src/a.ts',
    );
  });

  it('after it had passed', () => {
    expect(clause(passing, read('x'), edit('src/a.ts'), failed)).toBe(
      'Had passed 3 calls before; changed since: src/a.ts',
    );
  });

  it('goes without its former runs when it is only run again', () => {
    expect(clause(failed, failed)).toBe('');
    expect(clause(failed, read('src/a.ts'), failed)).toBe('');
  });

  it('is none when it never ran', () => {
    expect(clause(run('npm test', 'Sibling tool call errored', true), passing)).toBe('');
  });
});

describe('an edit', () => {
  it('of a file that a failing check named', () => {
    expect(clause(failed, edit('src/cart.test.ts'))).toBe(
      '`npm test` had failed in the call before (adds a line twice: expected 3 to be 4)',
    );
    expect(clause(failed, edit('src/other.ts'))).toBe('');
  });

  it('does not mention a check that has passed since', () => {
    expect(clause(failed, passing, edit('src/cart.test.ts'))).toBe('');
  });

  it('that puts back what an earlier one changed', () => {
    const there = edit('src/a.ts', 'const retries = 3;', 'const retries = 9;');
    const back = edit('src/a.ts', 'const retries = 9;', 'const retries = 3;');
    expect(clause(there, passing, back)).toBe('Undoes the edit 2 calls before');
    expect(clause(there, edit('src/b.ts', 'const retries = 9;', 'const retries = 3;'))).toBe('');
    expect(clause(edit('a.ts', '{', '}'), edit('a.ts', '}', '{'))).toBe('');
  });
});

describe('the clause', () => {
  it('ends the text, within the limits', () => {
    const { text } = draftSummary(passing, [edit('src/a.ts'), failed]);
    expect(text).toBe(
      'Ran `npm test`. Tests 41 passed (41). Passed after failing 2 calls before (adds a line twice: expected 3 to be 4); changed in between: src/a.ts.',
    );
    const long = run('npm test', `FAIL  src/${'x'.repeat(300)}.test.ts > ${'y '.repeat(200)}\n`, true);
    const many = Array.from({ length: earlierCallsMax - 1 }, (_, at) =>
      edit(`src/${'z'.repeat(200)}${at}.ts`),
    );
    const bounded = draftSummary(passing, [...many, long]).text;
    expect(bounded.length).toBeLessThanOrEqual(summaryCharsMax);
    expect(bounded.length).toBeLessThanOrEqual(
      'Ran `npm test`. Tests 41 passed (41). .'.length + neighbourCharsMax,
    );
  });

  it('is asked for only by calls that can have one', () => {
    expect(hasNeighbours(passing)).toBe(true);
    expect(hasNeighbours(edit('a.ts'))).toBe(true);
    expect(hasNeighbours(read('a.ts'))).toBe(false);
    expect(hasNeighbours(sampleCall('Grep', { pattern: 'x' }, 'y'))).toBe(false);
    expect(hasNeighbours(run('ls -la', 'x'))).toBe(false);
  });
});

describe('a text whose payload is not whole any more', () => {
  const there = edit('src/a.ts', 'const retries = 3;', 'const retries = 9;');
  const created = sampleCall('TaskCreate', { subject: 'write the tests' }, 'Task #1 created successfully');
  const second = sampleCall('TaskCreate', { subject: 'run them' }, 'Task #2 created successfully');
  const long = run('npm test', `FAIL  src/${'x'.repeat(300)}.test.ts > ${'y '.repeat(200)}\n`, true);
  it.each<[string, Payload, readonly Payload[]]>([
    ['passes', passing, [edit('src/a.ts'), failed]],
    ['passes, in many words', passing, [long]],
    ['fails still', failed, [edit('src/a.ts'), failed]],
    ['fails otherwise', long, [edit('src/a.ts'), failed]],
    ['fails newly', failed, [edit('src/a.ts'), passing]],
    ['edits what failed', edit('src/cart.test.ts'), [failed]],
    ['undoes', edit('src/a.ts', 'const retries = 9;', 'const retries = 3;'), [there]],
    [
      'ends a task',
      sampleCall('TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated'),
      [second, created],
    ],
    ['begins a task', sampleCall('TaskUpdate', { taskId: '1', status: 'in_progress' }, 'Updated'), [created]],
  ])('loses the clause and nothing else: one that %s', (_what, last, earlier) => {
    expect(neighbourClause(last, earlier)).not.toBe('');
    const alone = draftSummary(last).text;
    const left = withoutClause(draftSummary(last, earlier).text);
    expect([alone, `${alone}.`]).toContain(left);
    expect(withoutClause(alone)).toBe(alone);
  });
});
