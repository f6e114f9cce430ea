import { resolve } from 'node:path';
import { plainPath } from '../../reading/text/index.ts';
import type { ChangedFile, SessionAccount } from './account.ts';
import { ByPath } from './by-path.ts';

const namesMax = 12;

/** With the files that the sessions of its helpers changed, as if it had changed them itself. */
export function withHelpers(account: SessionAccount, helpers: readonly SessionAccount[]): SessionAccount {
  if (helpers.length === 0) return account;
  const files = new ByPath(account.files.map((file) => [file.path, file]));
  for (const helper of helpers) {
    for (const file of helper.files) {
      const { root } = helper;
      const path = root === null ? file.path : plainPath(resolve(root, file.path), account.root);
      const before = files.get(path);
      const both = before === undefined ? file : together(before, file);
      if (both === null) files.delete(path);
      else files.set(path, { ...both, path });
    }
  }
  const commits = [account, ...helpers].flatMap((one) => one.commits.map(({ ts }) => ts)).sort();
  const last = commits.at(-1) ?? '';
  const all = [...files.values()].sort((one, other) => other.edits - one.edits);
  return {
    ...account,
    files: all.map((file) => ({ ...file, isOpen: file.isOpen && file.ts > last })),
    // What a commit counted beyond its own may be theirs.
    filesCount: Math.max(account.filesCount, all.length),
  };
}

/** One file that two sessions changed; null if it came and went. */
function together(one: ChangedFile, other: ChangedFile): ChangedFile | null {
  const [first, last] = one.ts <= other.ts ? [one, other] : [other, one];
  if (first.isNew && last.isGone) return null;
  return {
    ...last,
    isNew: first.isNew,
    edits: first.edits + last.edits,
    added: first.added + last.added,
    removed: first.removed + last.removed,
    symbols: [...new Set([...first.symbols, ...last.symbols])].slice(0, namesMax),
    lines: [...first.lines, ...last.lines].slice(-namesMax),
  };
}
