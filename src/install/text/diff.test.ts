import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { unifiedDiff } from './diff.ts';

const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));

/** What `patch` makes of it. */
function patched(before: string, diff: string): string {
  const lines = before.split('\n');
  const result: string[] = [];
  let at = 0;
  let isEnded = before.endsWith('\n') || before === '';
  const rows = diff.split('\n').slice(2);
  rows.forEach((row, index) => {
    const [, start, count] = /^@@ -(\d+)(?:,(\d+))? /.exec(row) ?? [];
    if (start !== undefined) {
      const first = count === '0' ? Number(start) : Number(start) - 1;
      result.push(...lines.slice(at, first));
      at = first;
    } else if (row.startsWith('\\')) {
      const sign = rows[index - 1]?.[0];
      if (sign !== '-') isEnded = false;
    } else {
      if (row[0] !== '+') expect(lines[at++]).toBe(row.slice(1));
      if (row[0] !== '-') result.push(row.slice(1));
      if (row[0] === '+') isEnded = true;
    }
  });
  const rest = lines.slice(at);
  if (rest.at(-1) === '') rest.pop();
  const all = [...result, ...rest];
  return all.join('\n') + (isEnded && all.length > 0 ? '\n' : '');
}

test('tells how to get from one text to the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff(before, after, 'f');
      if (before === after) expect(diff).toBe('');
      else if (before.endsWith('\n') && after.endsWith('\n')) expect(patched(before, diff)).toBe(after);
    }),
    { numRuns: runs(150) },
  );
});

test('looks like a diff of the system', () => {
  expect(unifiedDiff('1\n2\n3\n4\n5\n', '1\n2\n3\nx\n5', 'dir/f')).toBe(
    [
      '--- dir/f',
      '+++ dir/f',
      '@@ -1,5 +1,5 @@',
      ' 1',
      ' 2',
      ' 3',
      '-4',
      '-5',
      '+x',
      '+5',
      '\\ No newline at end of file',
    ].join('\n'),
  );
  expect(unifiedDiff(null, 'a\n', 'f')).toBe('--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+a');
  expect(unifiedDiff('a\n', null, 'f')).toBe('--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a');
});
