import { diffContextLines } from '../../limits.ts';

/** The difference of two texts as a unified diff (POSIX diff -u); null is no file. Empty when there is none. */
export function unifiedDiff(before: string | null, after: string | null, file: string): string {
  if (before === after) return '';
  const steps = stepsBetween(linesOf(before), linesOf(after));
  const hunks = hunksOf(steps).map(hunkText);
  const name = (text: string | null): string => (text === null ? '/dev/null' : file);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunks].join('\n');
}

interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** Lines without their ends; a last one that has none is told so by a mark of diff's own. */
function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop();
  return last === '' || last === undefined ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** The shortest way from one to the other, greedily (Myers 1986), between what both begin and end with. */
function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - head;
  while (tail < shorter && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const kept = (line: string): Step => ({ sign: ' ', line });
  return [
    ...before.slice(0, head).map(kept),
    ...middleSteps(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

function middleSteps(before: readonly string[], after: readonly string[]): Step[] {
  const trail: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= before.length + after.length; edits += 1) {
    trail.push(reach);
    const next = new Map(reach);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = isDown(reach, diagonal, edits);
      let x = down ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(trail, before, after, edits);
    }
    reach = next;
  }
  return [];
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function walkBack(
  trail: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
  edits: number,
): Step[] {
  const steps: Step[] = [];
  let [x, y] = [before.length, after.length];
  for (let left = edits; left >= 0; left -= 1) {
    const reach = trail[left] ?? new Map<number, number>();
    const diagonal = x - y;
    const from = isDown(reach, diagonal, left) ? diagonal + 1 : diagonal - 1;
    const fromX = left === 0 ? 0 : (reach.get(from) ?? 0);
    const fromY = left === 0 ? 0 : fromX - from;
    for (; x > fromX && y > fromY; x -= 1, y -= 1) steps.push({ sign: ' ', line: before[x - 1] ?? '' });
    if (left === 0) break;
    if (x === fromX) steps.push({ sign: '+', line: after[y - 1] ?? '' });
    else steps.push({ sign: '-', line: before[x - 1] ?? '' });
    [x, y] = [fromX, fromY];
  }
  return steps.reverse();
}

interface Hunk {
  readonly before: number;
  readonly after: number;
  readonly steps: Step[];
}

function hunksOf(steps: readonly Step[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [before, after, quiet, end] = [0, 0, Number.POSITIVE_INFINITY, -1];
  steps.forEach((step, index) => {
    const isNear = steps.slice(index, index + diffContextLines + 1).some(({ sign }) => sign !== ' ');
    quiet = step.sign === ' ' ? quiet + 1 : 0;
    if (isNear || quiet <= diffContextLines) {
      if (end !== index) hunks.push({ before, after, steps: [] });
      hunks.at(-1)?.steps.push(step);
      end = index + 1;
    }
    if (step.sign !== '+') before += 1;
    if (step.sign !== '-') after += 1;
  });
  return hunks;
}

function hunkText({ before, after, steps }: Hunk): string {
  const range = (start: number, sign: Step['sign']): string => {
    const count = steps.filter((step) => step.sign !== sign).length;
    return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;
  };
  return [
    `@@ -${range(before, '+')} +${range(after, '-')} @@`,
    ...steps.map(({ sign, line }) => sign + line),
  ].join('\n');
}
