import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, lineDiff, patchLines } from './line-diff.ts';

const shown = (lines: readonly DiffLine[]): string[] =>
  lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', gap: '~' }[kind]}${text}`);

describe('lineDiff', () => {
  it('finds the least that changed', () => {
    expect(shown(lineDiff('a\nb\nc\nd', 'a\nx\nc\nd\ne'))).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  });

  it('shows a new file as added and an emptied one as removed', () => {
    expect(shown(lineDiff('', 'a\nb\n'))).toEqual(['+a', '+b']);
    expect(shown(lineDiff('a\n', ''))).toEqual(['-a']);
  });

  it('folds what is far from any change', () => {
    const many = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const diff = shown(lineDiff(many.join('\n'), many.with(20, 'changed').join('\n')));
    expect(diff).toHaveLength(10);
    expect([diff[0], diff.at(-1)]).toEqual(['~17 unchanged lines', '~16 unchanged lines']);
  });

  it('shows texts too large for a table as one out, one in', () => {
    const big = (name: string): string =>
      Array.from({ length: 3_000 }, (_, at) => `${name} ${at}`).join('\n');
    const diff = lineDiff(big('old'), big('new'));
    expect(diff.slice(0, 3_000).every(({ kind }) => kind === 'removed')).toBe(true);
    expect(diff).toHaveLength(6_000);
  });

  it('leads from the one text to the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', '');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 7 }), fc.array(line, { maxLength: 7 }), (before, after) => {
        const diff = lineDiff(before.join('\n'), after.join('\n'));
        const without = (kind: DiffLine['kind']): string[] =>
          diff.filter((one) => one.kind !== kind && one.kind !== 'gap').map(({ text }) => text);
        const kept = diff.some(({ kind }) => kind === 'gap');
        if (!kept) {
          expect(without('added')).toEqual(linesOf(before));
          expect(without('removed')).toEqual(linesOf(after));
        }
      }),
    );
  });
});

describe('patchLines', () => {
  it('reads each line by its first character', () => {
    expect(shown(patchLines('*** Update File: a.ts\n@@\n same\n-old\n+new\n'))).toEqual([
      '~*** Update File: a.ts',
      '~@@',
      ' same',
      '-old',
      '+new',
    ]);
  });
});

function linesOf(lines: readonly string[]): string[] {
  const text = lines.join('\n').replace(/\n$/, '');
  return lines.join('\n') === '' ? [] : text.split('\n');
}
