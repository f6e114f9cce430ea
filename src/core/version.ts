/** The version of this program; the build puts `package.json`'s in. */
export const version: string = typeof MEMD_VERSION === 'string' ? MEMD_VERSION : '0.0.0-source';

/**
 * Whether version `a` comes before `b`, by the precedence of Semantic Versioning 2.0.0 (https://semver.org, item 11). Null where one of
 * them is no such version: then nothing is known about which is newer.
 */
export function isOlder(a: string, b: string): boolean | null {
  const [one, other] = [sortable(a), sortable(b)];
  if (one === null || other === null) return null;
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}

/** Numbers are compared as numbers. A version before its release (`1.0.0-beta.2`) is older than the release, whose place no label is behind. */
function sortable(version: string): string | null {
  const [, numbers, label] =
    /^(\d+\.\d+\.\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(version) ?? [];
  return numbers === undefined ? null : `${numbers} ${label ?? 'zz'}`;
}
