import { lineHash, plainLine } from '#reading/edits';

/** `hash` is abbreviated. */
export interface CommitName {
  readonly hash: string;
  readonly subject: string;
}

export interface Commit extends CommitName {
  readonly seconds: number;
  readonly paths: readonly string[];
}

/** With merges that differ from all their parents: they bring work that no other commit has. */
export const logArgs = ['log', '-c', '-z', '--name-only', '--format=%x01%h%x02%ct%x02%s%x02'];

/** Of `git status -z`: the two signs by path. */
export function changedIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\0').flatMap((entry) => (entry === '' ? [] : [[entry.slice(3), entry.slice(0, 2)]])),
  );
}

/** Of a diff: the hashes of the added lines by path. */
export function addedIn(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const files = new Map<string, Set<number>>();
  let lines: Set<number> | undefined;
  for (const line of text.split('\n')) {
    const file = /^\+\+\+ (?:"?b\/)(.+?)"?\t?$/.exec(line)?.[1];
    if (file !== undefined) {
      lines = new Set();
      files.set(file, lines);
    } else if (line.startsWith('+')) lines?.add(lineHash(plainLine(line.slice(1))));
  }
  return files;
}

/** Of `git log` with `logArgs`. */
export function commitsIn(text: string): readonly Commit[] {
  return text.split('\x01').flatMap((part) => {
    const [hash, seconds, subject, paths = ''] = part.split('\x02');
    if (hash === undefined || seconds === undefined || subject === undefined) return [];
    const names = paths.split('\0').map((one) => one.replace(/^\n/, ''));
    return [{ hash, subject, seconds: Number(seconds), paths: names }];
  });
}
