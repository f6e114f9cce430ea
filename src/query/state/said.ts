import { counted } from '../../reading/text/index.ts';
import { type Check, type State, shown, unknown } from './shapes.ts';
import { anyOccurs } from './symbols.ts';

const namedMax = 12;

/**
 * A message is `changed` when it names files, and symbols, of which none exists any more. That a file existed, only git knows; a
 * file that was only planned never did.
 */
export function checkOfMessage(text: string): State | Check {
  const files = filesIn(text);
  if (files.length === 0) return unknown('it names no file of the project');
  const named = symbolsIn(text);
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
    if (named.length > 0 && (await anyOccurs(tree.root, named)))
      return unknown('code that it names is there; what was said of it is not checked');
    const none =
      files.length === 1
        ? 'the file that it names does not exist any more'
        : `none of the ${files.length} files that it names exists any more`;
    return { verdict: 'changed', detail: `${none}: ${lost}` };
  };
}

/** The paths in a text, each once, with a folder in them. */
function filesIn(text: string): readonly string[] {
  const found = text
    .slice(0, textCharsMax)
    .matchAll(/(?<![\w@./:-])(?:\.\/)?((?:[\w@.+-]{1,80}\/){1,12}[\w@.+-]{0,80}\.[A-Za-z]\w{0,7})(?![\w/])/g);
  return [...new Set([...found].map(([, name = '']) => name))]
    .filter((name) => !name.split('/').includes('..'))
    .slice(0, namedMax);
}

/** Names in the form of code: `loadUser`, `load_user`, `Store.open()`. */
function symbolsIn(text: string): readonly string[] {
  const quoted = [...text.slice(0, textCharsMax).matchAll(/`([A-Za-z_$][\w$.]{2,60})(?:\(\))?`/g)].map(
    ([, name = '']) => name,
  );
  const shaped = quoted.filter((name) => !/\.\w{1,4}$/.test(name) || /\.\w{5,}$/.test(name));
  return [...new Set(shaped.map((name) => name.replace(/^.*\./, '')))].slice(0, namedMax);
}

const textCharsMax = 20_000;
