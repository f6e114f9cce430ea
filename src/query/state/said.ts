import type { Comparable } from '#reading/comparable';
import { counted } from '#reading/text';
import { type Check, type State, shown, unknown } from './shapes.ts';
import { anyOccurs } from './symbols.ts';

/**
 * A message is `changed` when it names files, and symbols, of which none exists any more. That a file existed, only git knows; a
 * file that was only planned never did.
 */
export function checkOfMessage({ files, symbols }: Extract<Comparable, { kind: 'message' }>): State | Check {
  if (files.length === 0) return unknown('it names no file to check');
  return async ({ worktrees }) => {
    const { history, tree } = worktrees.first();
    let lost = '';
    for (const name of files) {
      if (await worktrees.has(name))
        return unknown(`${shown(name)} is there; what was said of it is not checked`);
      const fate = await history.fateOf(name);
      if (fate === null || lost !== '') continue;
      if (fate.to !== null && (await worktrees.has(fate.to)))
        return unknown(`${shown(name)} was renamed to ${shown(fate.to)} in ${fate.commit}`);
      lost = `${shown(name)} was removed in ${fate.commit}`;
    }
    if (lost === '') return unknown(`it names ${counted(files.length, 'file')} that git does not know`);
    if (symbols.length > 0 && (await anyOccurs(tree.root, symbols)))
      return unknown('code that it names is there; what was said of it is not checked');
    const none =
      files.length === 1
        ? 'the file that it names does not exist any more'
        : `none of the ${files.length} files that it names exists any more`;
    return { verdict: 'changed', detail: `${none}: ${lost}` };
  };
}
