import { plain } from '../../boundary/index.ts';
import type { Command, Fed } from './commands.ts';
import { type OptionSpec, sortOptions } from './options.ts';
import { gitApply } from './patch.ts';
import type { State, Word } from './state.ts';

type SubCommand = (words: readonly Word[], state: State, fed: Fed) => void;

/** `git`, as far as a path is named: what moves whole trees (`reset --hard`, `stash`, `switch`, `merge`) is not seen. */
export const gitCommand: Command = (words, state, fed) => {
  const { folders, rest } = globalOptions(words);
  const [name, ...told] = rest;
  const inner = state.subshell();
  for (const folder of folders) inner.changeFolder(folder);
  const key = name?.text ?? '';
  if (Object.hasOwn(subCommands, key)) subCommands[key]?.(told, inner, fed);
};

/** `git -C DIR -c a=b --work-tree=DIR ...` */
function globalOptions(words: readonly Word[]): { folders: readonly Word[]; rest: readonly Word[] } {
  const folders: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    const tree = /^--work-tree=(.*)$/s.exec(text)?.[1];
    if (tree !== undefined) folders.push(plain(tree));
    else if (text === '-C' || text === '--work-tree') folders.push(words[++at] ?? null);
    else if (['-c', '--git-dir', '--namespace', '--exec-path'].includes(text)) at += 1;
    else if (!text.startsWith('-')) return { folders, rest: words.slice(at) };
  }
  return { folders, rest: [] };
}

const subCommands: Readonly<Record<string, SubCommand>> = {
  apply: (words, state, fed) => {
    gitApply(sortOptions(words, { short: 'pC', long: 'directory exclude include whitespace' }), state, fed);
  },
  am: (words, state, fed) =>
    gitApply(sortOptions(words, { short: 'pCS', long: 'directory exclude include' }), state, fed),
  checkout: (words, state) => {
    const at = words.findIndex((word) => word?.text === '--');
    if (at !== -1) return state.emitAll('tree', words.slice(at + 1));
    const options = sortOptions(words, { short: 'bB', long: 'orphan conflict pathspec-from-file' });
    if (!options.has('b', 'B', 'orphan')) state.emitAll('tree', options.operands, { onlyIfThere: true });
  },
  restore: (words, state) => {
    const options = sortOptions(words, { short: 's', long: 'source conflict pathspec-from-file' });
    const isIndexAlone = options.has('S', 'staged') && !options.has('W', 'worktree');
    if (!isIndexAlone) state.emitAll('tree', options.operands);
  },
  clean: (words, state) => {
    const options = sortOptions(words, { short: 'e', long: 'exclude' });
    if (options.has('n', 'dry-run') || !options.has('f', 'force')) return;
    if (options.operands.length > 0) state.emitAll('tree', options.operands);
    else if (state.from.length > 0) state.emit('tree', plain('.'));
  },
  mv: (words, state) => {
    const { operands } = sortOptions(words);
    state.emitAll('tree', operands.slice(0, -1));
    state.emitCopy(operands.slice(0, -1), operands.at(-1));
  },
  rm: (words, state) => {
    const options = sortOptions(words, { long: 'pathspec-from-file' });
    if (!options.has('cached', 'n', 'dry-run')) state.emitAll('tree', options.operands);
  },
  clone: (words, state) => {
    const { operands } = sortOptions(words, cloneSpec);
    const [address, folder] = operands;
    const name = address?.text
      .split(/[/:]+/)
      .filter(Boolean)
      .at(-1)
      ?.replace(/\.git$/, '');
    if (folder !== undefined || name) state.emit('into', folder ?? plain(name ?? '.'));
  },
  init: (words, state) => {
    const { operands } = sortOptions(words, { short: 'b', long: 'template separate-git-dir initial-branch' });
    if (operands[0] !== undefined) state.emit('folder', operands[0]);
  },
  worktree: (words, state) => {
    const options = sortOptions(words, { short: 'bB', long: 'reason' });
    const [action, folder, to] = options.operands;
    if (action?.text === 'add') state.emit('into', folder);
    if (action?.text === 'remove' || action?.text === 'move') state.emit('tree', folder);
    if (action?.text === 'move') state.emit('into', to);
  },
  archive: (words, state) =>
    state.emitAll('write', sortOptions(words, { short: 'o', long: 'output' }).values('o', 'output')),
  config: (words, state) =>
    state.emitAll('write', sortOptions(words, { short: 'f', long: 'file' }).values('f', 'file')),
};

const cloneSpec: OptionSpec = {
  short: 'bocjuO',
  long: 'branch origin config jobs depth reference template separate-git-dir filter upload-pack shallow-since',
};
