import { realOrSame } from '#core/platform';

/** Claude Code cuts a longer name to this many UTF-16 units and adds a hash. */
const nameUnitsMax = 200;

/**
 * The name of the folder in which Claude Code keeps the transcripts of the project `root`: the real path with every
 * UTF-16 unit except ASCII letters and digits as `-`.
 */
export function projectName(root: string): string {
  return encoded(realOrSame(root));
}

/** The prefix of the folder names of `root` and of projects below it. */
export function projectPrefix(root: string): string {
  return projectName(root).slice(0, nameUnitsMax);
}

/** That name, and the name by spec 2.5's plain rule (only `/` as `-`). */
export function projectNames(root: string): readonly string[] {
  return [...new Set([projectName(root), realOrSame(root).replaceAll('/', '-')])];
}

function encoded(real: string): string {
  const name = real.replace(/[^a-zA-Z0-9]/g, '-');
  if (name.length <= nameUnitsMax) return name;
  return `${name.slice(0, nameUnitsMax)}-${Math.abs(hash(real)).toString(36)}`;
}

/** The hash of Java's `String.hashCode`: 31 times the hash so far, plus the unit, in 32 bits. */
function hash(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0;
  return value;
}
