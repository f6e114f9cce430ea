import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { unifiedDiff } from './diff.ts';

const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));

test('a diff, applied to the one text, gives the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff(before, after, 'f');
      if (before === after) expect(diff).toBe('');
      else expect(applyPatch(before, diff)).toBe(after);
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
  expect(unifiedDiff(null, 'a\n', 'f')).toBe('--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a');
  expect(unifiedDiff('a\n', null, 'f')).toBe('--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a');
});
