const diffCellsMax = 2_000_000;
const diffContextLines = 3;

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

/** The lines that turn `before` into `after`, with a little of what stands around them. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = lines(before);
  const fresh = lines(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  return folded([
    ...old.slice(0, start).map((text) => line('same', text)),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...(end === 0 ? [] : old.slice(-end)).map((text) => line('same', text)),
  ]);
}

/** A patch as it stands in a file or a tool call: each line by its first character. */
export function patchLines(patch: string): DiffLine[] {
  return lines(patch).map((text) => {
    if (/^(@@|\*\*\*|---|\+\+\+|diff |index )/.test(text)) return line('gap', text);
    if (text.startsWith('+')) return line('added', text.slice(1));
    if (text.startsWith('-')) return line('removed', text.slice(1));
    return line('same', text.startsWith(' ') ? text.slice(1) : text);
  });
}

export function countLines(diff: readonly DiffLine[], kind: DiffLine['kind']): number {
  return diff.filter((one) => one.kind === kind).length;
}

function line(kind: DiffLine['kind'], text: string): DiffLine {
  return { kind, text };
}

function lines(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

/** Longest common subsequence by the table; two texts too large for one are shown as one out, one in. */
function middle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1;
  if ((old.length + 1) * width > diffCellsMax) {
    return [...old.map((text) => line('removed', text)), ...fresh.map((text) => line('added', text))];
  }
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const diff: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    const gone = old[i];
    const come = fresh[j];
    if (gone !== undefined && gone === come) {
      diff.push(line('same', gone));
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      diff.push(line('removed', gone));
      i += 1;
    } else {
      diff.push(line('added', come ?? ''));
      j += 1;
    }
  }
  return diff;
}

/** Long runs without a change are folded away. */
function folded(diff: readonly DiffLine[]): DiffLine[] {
  const near = (at: number): boolean =>
    diff
      .slice(Math.max(0, at - diffContextLines), at + diffContextLines + 1)
      .some(({ kind }) => kind !== 'same');
  const kept: DiffLine[] = [];
  let left = 0;
  for (const [at, one] of diff.entries()) {
    if (near(at)) {
      if (left > 0) kept.push(line('gap', `${left} unchanged ${left === 1 ? 'line' : 'lines'}`));
      left = 0;
      kept.push(one);
    } else {
      left += 1;
    }
  }
  if (left > 0) kept.push(line('gap', `${left} unchanged ${left === 1 ? 'line' : 'lines'}`));
  return kept;
}
