const curateLinesMax = 2_000;

/** Trimmed lines that identify a place: not blank, not only brackets, and not common in every file. */
export function meaningful(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const trimmed = line.trim();
    if (/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(trimmed) && !common.test(trimmed)) found.push(trimmed);
    if (found.length === curateLinesMax) break;
  }
  return found;
}

/** Whether lines are too many or too long to match by chance. */
export function isTelling(lines: readonly string[]): boolean {
  return lines.some((line) => line.length >= tellingCharsMin) || new Set(lines).size >= tellingLinesMin;
}

const tellingCharsMin = 20;
const tellingLinesMin = 3;

const common =
  /^(?:else|try|end|fi|done|do|then|return|break|continue|pass|default:|return (?:nil|null|true|false|err|undefined);?|if err != nil \{|\} else \{|(?:\} )?finally \{)$/;

/** Digests of the distinct lines of an output, in order, without times. */
export function digestsOf(text: string): number[] {
  const found = new Set<number>();
  for (const line of withoutTimes(text).split('\n')) {
    const trimmed = line.trim();
    if (trimmed !== '') found.add(digest(trimmed));
    if (found.size === curateLinesMax) break;
  }
  return [...found];
}

/** A text without dates, times, durations and the mark of a cached result. */
export function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '')
    .replace(/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, '')
    .replace(/[[(]?\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?)\b[\])]?/g, '')
    .replace(/\(cached\)/g, '');
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/), over UTF-16 units, with the length mixed in. */
export function digest(text: string): number {
  let value = 0x811c9dc5 ^ text.length;
  for (let at = 0; at < text.length; at += 1) {
    value ^= text.charCodeAt(at);
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}

/** The part of `lines` that `others` also has, 0 to 1; 0 for no lines. */
export function share(lines: readonly number[], others: readonly number[]): number {
  if (lines.length === 0) return 0;
  const known = new Set(others);
  return lines.filter((line) => known.has(line)).length / lines.length;
}

/** Jaccard index of two sets, 0 to 1; 1 for two empty sets. */
export function likeness<T>(one: Iterable<T>, other: Iterable<T>): number {
  const first = new Set(one);
  const second = new Set(other);
  if (first.size + second.size === 0) return 1;
  let both = 0;
  for (const line of first) if (second.has(line)) both += 1;
  return both / (first.size + second.size - both);
}
