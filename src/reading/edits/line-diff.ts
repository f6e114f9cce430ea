import { linesOf, signedLines } from './diff.ts';

const diffContextLines = 3;

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** The lines that turn `before` into `after`, with a little of what stands around them. */
export function lineDiff(before: string, after: string): DiffLine[] {
  return folded(signedLines(before, after).map(signedLine));
}

/** A line by its sign. */
export function signedLine(signed: string): DiffLine {
  const kind = signed.startsWith('+') ? 'added' : signed.startsWith('-') ? 'removed' : 'same';
  return line(kind, signed.slice(1));
}

/** A patch as it stands in a file or a tool call: each line by its first character. */
export function patchLines(patch: string): DiffLine[] {
  return linesOf(patch).map((text) => {
    if (/^(@@|\*\*\*|---|\+\+\+|diff |index )/.test(text)) return line('gap', text);
    return /^[+\- ]/.test(text) ? signedLine(text) : line('same', text);
  });
}

function line(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, text };
}

/** Long runs without a change are folded away. */
function folded(diff: readonly DiffLine[]): DiffLine[] {
  const near = (at: number): boolean =>
    diff
      .slice(Math.max(0, at - diffContextLines), at + diffContextLines + 1)
      .some(({ kind }) => kind !== 'same');
  const kept: DiffLine[] = [];
  let left = 0;
  const close = (): void => {
    if (left > 0) kept.push(line('gap', `${left} unchanged ${left === 1 ? 'line' : 'lines'}`));
    left = 0;
  };
  for (const [at, one] of diff.entries()) {
    if (near(at)) {
      close();
      kept.push(one);
    } else left += 1;
  }
  close();
  return kept;
}
