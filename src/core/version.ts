/** The version of this program; the build puts `package.json`'s in. */
export const version: string = typeof MEMD_VERSION === 'string' ? MEMD_VERSION : '0.0.0-source';

/**
 * Whether version `a` comes before `b`, by the precedence of Semantic Versioning 2.0.0 (https://semver.org, item 11). Null where one of
 * them is no such version: then nothing is known about which is newer.
 */
export function isOlder(a: string, b: string): boolean | null {
  const [left, right] = [parsed(a), parsed(b)];
  if (left === null || right === null) return null;
  for (const [at, one] of left.numbers.entries()) {
    const other = right.numbers[at] ?? 0;
    if (one !== other) return one < other;
  }
  return isOlderLabel(left.labels, right.labels);
}

interface Version {
  readonly numbers: readonly number[];
  /** Of a version before its release: `1.0.0-beta.2` has `beta`, `2`. */
  readonly labels: readonly string[];
}

function parsed(text: string): Version | null {
  const [, numbers, labels] = /^(\d+\.\d+\.\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text) ?? [];
  if (numbers === undefined) return null;
  return { numbers: numbers.split('.').map(Number), labels: labels?.split('.') ?? [] };
}

function isOlderLabel(a: readonly string[], b: readonly string[]): boolean {
  // A version before its release is older than the release.
  if (a.length === 0 || b.length === 0) return a.length > 0 && b.length === 0;
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) return false;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(one) < Number(other);
    if (isNumber !== isOtherNumber) return isNumber;
    return one < other;
  }
  return a.length < b.length;
}
