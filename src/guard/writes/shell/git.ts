import { shellDepthMax } from '#core/limits';
import { plain, unread } from '#guard/boundary';
import { type OptionSpec, sortOptions } from './options.ts';
import { gitApply } from './patch.ts';
import { asLine, asQuotedLine } from './shells.ts';
import { type Command, named, type State } from './state.ts';
import { unknownInput, unknownWord, type Word } from './stdin.ts';

/** `git` commands that name paths. Changes of whole trees (`reset --hard`, `stash`, `switch`, `merge`) are not found. */
export const gitCommand: Command = (words, state, stdin) => {
  const { folders, stores, aliases, scripts, rest } = globalOptions(words);
  const [name, ...args] = rest;
  const key = name?.text ?? '';
  // A setting holds for the commands behind it.
  const inner = key === 'config' ? state : state.subshell();
  const trees = [...folders, ...(state.variables.get('GIT_WORK_TREE') ?? [])];
  if (key !== 'config') for (const folder of trees) inner.changeFolder(folder);
  if (indexWriters.test(key)) inner.emitAll('write', state.variables.get('GIT_INDEX_FILE') ?? []);
  if (key === 'init') inner.emitAll('write', [...stores, ...(state.variables.get('GIT_DIR') ?? [])]);
  for (const script of scripts) inner.run(script);
  const alias = aliases.get(key) ?? state.aliases.get(`git ${key}`);
  if (alias?.startsWith('!') === true) inner.runHere(`${alias.slice(1)} ${asQuotedLine(args)}`);
  else if (alias !== undefined && state.depth < shellDepthMax) {
    inner.depth += 1;
    gitCommand([...alias.split(/\s+/).map(plain), ...args], inner, stdin);
    return;
  }
  if (Object.hasOwn(subCommands, key)) subCommands[key]?.(args, inner, stdin);
};

const indexWriters = /^(?:add|am|apply|checkout|commit|mv|read-tree|reset|restore|rm|stash|update-index)$/;

/** `git -C DIR -c a=b --work-tree=DIR ...` */
function globalOptions(words: readonly Word[]) {
  const folders: Word[] = [];
  /** The folders of the repository itself. */
  const stores: Word[] = [];
  const aliases = new Map<string, string>();
  /** The values of other settings: an editor, a pager or a filter is a command. */
  const scripts: string[] = [];
  const set = ({ text }: Word): void => {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (/^core\.worktree$/i.test(key)) folders.push(plain(value));
    if (/^alias\./i.test(key)) aliases.set(key.slice('alias.'.length), value);
    else scripts.push(value);
  };
  const ignored = (): void => {};
  const valued: Readonly<Record<string, (value: Word) => unknown>> = {
    ...{ '-C': (folder) => folders.push(folder), '--work-tree': (folder) => folders.push(folder) },
    ...{ '--git-dir': (store) => stores.push(store), '-c': set },
    ...{ '--namespace': ignored, '--exec-path': ignored, '--config-env': ignored },
  };
  let at = 0;
  for (; words[at]?.text.startsWith('-') === true; at += 1) {
    const text = words[at]?.text ?? '';
    const [, option = text, attached] = /^(--(?:work-tree|git-dir))=(.*)$/s.exec(text) ?? [];
    if (attached !== undefined) valued[option]?.(plain(attached));
    else if (Object.hasOwn(valued, option)) valued[option]?.(words[++at] ?? unknownWord);
  }
  return { folders, stores, aliases, scripts, rest: words.slice(at) };
}

/** The files of pathspecs (gitglossary(7)): from the top (`:/x`), with a `*` that matches slashes, or excluding some. */
function emitPaths(words: readonly Word[], state: State, more: { onlyIfThere?: boolean } = {}): void {
  for (const word of words) {
    const [, short = '', long = '', text = ''] = /^(?::([/!^]+):?|:\(([^)]*)\))?(.*)$/s.exec(word.text) ?? [];
    const signs = Array.from(short, (sign) => (sign === '/' ? 'top' : 'exclude'));
    const magic = new Set([...signs, ...long.split(/\W+/)]);
    if (magic.has('exclude')) continue;
    const top = magic.has('top') ? (state.setting.top ?? unread.any) : null;
    if (/[*?[]/.test(text) && !magic.has('literal')) {
      const start = top ?? /^(?:[^*?[]*\/)?/.exec(text)?.[0] ?? '';
      const name = /[^/]*$/.exec(text)?.[0] ?? '';
      state.add({
        kind: 'found',
        at: state.cwdCandidates,
        starts: [plain(start || '.')],
        names: /^\**$/.test(name) ? [] : [name],
      });
    }
    const path = top === null ? text : `${top}/${text}`;
    state.emit('tree', short === '' && long === '' ? word : plain(path || '.'), more);
    if (magic.has('icase')) state.emit('tree', { text: path, pattern: path, isLoose: true }, more);
  }
}

/** The letter of an option whose value is run. */
function runAt(letter: string): Command {
  return (words, state) => {
    for (const { text } of sortOptions(words, { short: `${letter}efm` }).values(letter)) state.run(text);
  };
}

const writeAt: Command = (words, state) =>
  state.emitAll('into', sortOptions(words, { short: 'o' }).values('o'));

const intoPrefix: Command = (words, state) =>
  state.emitAll('into', sortOptions(words, { long: 'prefix' }).values('prefix'));

const pathsFile = 'pathspec-from-file';

const subCommands: Readonly<Record<string, Command>> = {
  apply: (words, state, stdin) =>
    gitApply(sortOptions(words, { short: 'pC', long: 'directory exclude include whitespace' }), state, stdin),
  am: (words, state, stdin) =>
    gitApply(sortOptions(words, { short: 'pCS', long: 'directory exclude include' }), state, stdin),
  checkout: (words, state) => {
    const at = words.findIndex((word) => word.text === '--');
    if (at !== -1) return emitPaths(words.slice(at + 1), state);
    const options = sortOptions(words, { short: 'bB', long: `orphan conflict ${pathsFile}` });
    if (options.has(pathsFile)) return state.emit('tree', unknownWord);
    if (!options.has('b', 'B', 'orphan')) emitPaths(options.operands, state, { onlyIfThere: true });
  },
  restore: (words, state) => {
    const options = sortOptions(words, { short: 's', long: `source conflict ${pathsFile}` });
    const isIndexAlone = options.has('S', 'staged') && !options.has('W', 'worktree');
    if (!isIndexAlone) emitPaths(options.has(pathsFile) ? [unknownWord] : options.operands, state);
  },
  clean: (words, state) => {
    const options = sortOptions(words, { short: 'e', long: 'exclude' });
    if (options.has('n', 'dry-run') || !options.has('f', 'force')) return;
    emitPaths(options.operands.length > 0 ? options.operands : [plain('.')], state);
  },
  mv: (words, state) => {
    const { operands } = sortOptions(words);
    state.emitAll('tree', operands.slice(0, -1));
    state.emitCopy(operands.slice(0, -1), operands.at(-1));
  },
  rm: (words, state) => {
    const options = sortOptions(words, { long: pathsFile });
    if (!options.has('cached', 'n', 'dry-run'))
      emitPaths(options.has(pathsFile) ? [unknownWord] : options.operands, state);
  },
  stash: (words, state) => {
    const [action, ...rest] = words;
    const at = words.findIndex(({ text }) => text === '--');
    if (at !== -1) emitPaths(words.slice(at + 1), state);
    else if (action?.text === 'push')
      emitPaths(sortOptions(rest, { short: 'm', long: 'message' }).operands, state);
  },
  clone: (words, state) => {
    const options = sortOptions(words, cloneSpec);
    const [address, folder] = options.operands;
    state.emitAll('write', options.values('separate-git-dir'));
    for (const { text } of options.values('u')) state.run(text);
    const name = address?.text
      .split(/[/:]+/)
      .filter(Boolean)
      .at(-1)
      ?.replace(/\.git$/, '');
    if (folder !== undefined || name) state.emit('into', folder ?? plain(name ?? '.'));
  },
  init: (words, state) => {
    const options = sortOptions(words, { short: 'b', long: 'template separate-git-dir initial-branch' });
    state.emitAll('write', options.values('separate-git-dir'));
    state.emitAll('folder', options.operands.slice(0, 1));
  },
  submodule: (words, state) => {
    const spec = { short: 'b', long: 'branch name reference depth' };
    const [action, ...rest] = sortOptions(words, spec).operands;
    if (action?.text === 'add') subCommands.clone?.(rest, state, unknownInput);
    if (action?.text === 'foreach') state.run(asLine(rest));
    if (action?.text === 'deinit') state.emitAll('tree', rest);
  },
  worktree: (words, state) => {
    const options = sortOptions(words, { short: 'bB', long: 'reason' });
    const [action, folder, to] = options.operands;
    if (action?.text === 'add') state.emit('into', folder);
    if (action?.text === 'remove' || action?.text === 'move') state.emit('tree', folder);
    if (action?.text === 'move') state.emit('into', to);
  },
  bisect: (words, state) => {
    if (words[0]?.text === 'run') state.run(asQuotedLine(words.slice(1)));
  },
  ...named('rebase difftool', runAt('x')),
  grep: runAt('O'),
  ...named('archive format-patch bugreport diagnose mailsplit index-pack', writeAt),
  'read-tree': intoPrefix,
  bundle: (words, state) => {
    if (words[0]?.text === 'create') state.emit('write', sortOptions(words.slice(1)).operands[0]);
  },
  'checkout-index': (words, state) => {
    intoPrefix(words, state, unknownInput);
    const options = sortOptions(words, { long: 'prefix stage' });
    if (!options.has('prefix')) state.emitAll('write', options.operands);
  },
  config: (words, state) => {
    const options = sortOptions(words, { short: 'f', long: 'file type default' });
    state.emitAll('write', options.values('f', 'file'));
    const [key, value] = options.operands.filter(({ text }) => text !== 'set');
    const alias = /^alias\.(.+)$/i.exec(key?.text ?? '')?.[1];
    if (alias !== undefined && value !== undefined) state.aliases.set(`git ${alias}`, value.text);
    // An editor, a pager or a filter.
    else if (value !== undefined) state.run(value.text);
  },
};

const cloneSpec: OptionSpec = {
  short: 'bocjuO',
  long: 'branch origin config jobs depth reference template separate-git-dir filter upload-pack shallow-since',
};
