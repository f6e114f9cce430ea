import { diffArrays } from 'diff';

/** Texts that differ in more lines are shown as all out, all in. */
const editLinesMax = 1_000;

/** One place of a file before and after. */
export interface Hunk {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Unchanged lines that stand before the first change, nearest last. */
  readonly leading: readonly string[];
  /** All unchanged lines. */
  readonly context: readonly string[];
  /** Each line with its sign (`+`, `-` or a blank): what a person sees, and what every count is taken from. */
  readonly signed: () => readonly string[];
}

/** How many lines came and went, as a diff shows them: blank and moved lines count. */
export function sizeOf(hunks: readonly Pick<Hunk, 'signed'>[]): {
  readonly added: number;
  readonly removed: number;
} {
  const lines = hunks.flatMap((hunk) => hunk.signed());
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}

/** The lines of both texts in order, each with its sign. */
export function signedLines(before: string, after: string): readonly string[] {
  return signedBetween(linesOf(before), linesOf(after));
}

export function signedBetween(old: readonly string[], now: readonly string[]): readonly string[] {
  const sign = (mark: string, some: readonly string[]): string[] => some.map((line) => `${mark}${line}`);
  const parts = diffArrays([...old], [...now], { maxEditLength: editLinesMax });
  if (parts === undefined) return [...sign('-', old), ...sign('+', now)];
  return parts.flatMap(({ added, removed, value }) => sign(added ? '+' : removed ? '-' : ' ', value));
}

export function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The lines that differ between two texts, in linear time: drops equal ends, then lines that both texts have. */
export function diffTexts(before: string, after: string): Hunk {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const oldMiddle = old.slice(head, old.length - tail);
  const newMiddle = now.slice(head, now.length - tail);
  return {
    added: without(newMiddle, oldMiddle),
    removed: without(oldMiddle, newMiddle),
    leading: now.slice(0, head),
    context: [...now.slice(0, head), ...common(newMiddle, oldMiddle), ...now.slice(now.length - tail)],
    signed: () => signedLines(before, after),
  };
}

/** Lines of a unified diff or of a patch, each with its sign, as one hunk. */
export function signedHunk(lines: readonly string[]): Hunk {
  const added: string[] = [];
  const removed: string[] = [];
  const leading: string[] = [];
  const context: string[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('+')) added.push(text);
    else if (line.startsWith('-')) removed.push(text);
    else {
      context.push(text);
      if (added.length + removed.length === 0) leading.push(text);
    }
  }
  // Lines that only moved or changed their indentation do not count.
  const changed = { added: without(added, removed), removed: without(removed, added) };
  return { ...changed, leading, context, signed: () => lines };
}

/** The lines that `others` does not have as often. Compares trimmed text and ignores blank lines. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return lines.filter((line) => {
    const key = line.trim();
    if (key === '') return false;
    const left = counts.get(key) ?? 0;
    if (left === 0) return true;
    counts.set(key, left - 1);
    return false;
  });
}

function common(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map((line) => line.trim()));
  return lines.filter((line) => known.has(line.trim()));
}
