import { plain } from '#guard/boundary';
import { type OptionSpec, sortOptions } from './options.ts';
import { type Command, named, type State } from './state.ts';
import type { Word } from './stdin.ts';

/** Archives are not read: the folder that one is unpacked into must be allowed as a whole. */
function unpackInto(word: Word | undefined, state: State): void {
  if (word !== undefined) state.emit('into', word);
  else if (state.from.length > 0) state.emit('into', plain('.'));
}

const tarSpec: OptionSpec = {
  short: 'fCbTXgHIVNKFLM',
  long:
    'file directory exclude exclude-from files-from transform strip-components use-compress-program owner group mode ' +
    'checkpoint-action info-script new-volume-script to-command rsh-command listed-incremental volno-file index-file',
};

const tar: Command = (words, state) => {
  const options = sortOptions(dashed(words), tarSpec);
  const folder = options.value('C', 'directory', 'cd');
  if (options.has('x', 'extract', 'get')) {
    if (!options.has('O', 'to-stdout')) unpackInto(folder, state);
  } else if (options.has('c', 'r', 'u', 'A', 'create', 'append', 'update', 'concatenate', 'delete')) {
    const file = options.value('f', 'file');
    if (file?.text !== '-') state.emit('write', file);
  }
  const run =
    'I use-compress-program F info-script new-volume-script to-command rsh-command checkpoint-action';
  for (const { text } of options.values(...run.split(' ')))
    if (!/^(?:\w+$|\w+=)/.test(text) || text.startsWith('exec=')) state.run(text.replace(/^exec=/, ''));
  state.emitAll('write', options.values('g', 'listed-incremental', 'volno-file', 'index-file'));
  if (options.has('remove-files')) state.emitAll('tree', options.operands);
};

/** The old style, `tar xzf FILE`: letters without a dash, their values behind them in order. */
function dashed(words: readonly Word[]): readonly Word[] {
  const [first, ...rest] = words;
  if (!first || first.text.startsWith('-')) return words;
  const waiting = [...rest];
  const letters = [...first.text].flatMap((letter): readonly Word[] => {
    const value = tarSpec.short?.includes(letter) ? waiting.shift() : undefined;
    return value === undefined ? [plain(`-${letter}`)] : [plain(`-${letter}`), value];
  });
  return [...letters, ...waiting];
}

const unzip: Command = (words, state) => {
  const options = sortOptions(words, { short: 'dxP' });
  if (!options.has('l', 't', 'p', 'Z', 'z', 'v')) unpackInto(options.value('d'), state);
};

const zip: Command = (words, state) => {
  const options = sortOptions(words, { short: 'bintx' });
  state.emit('write', options.operands[0]);
  for (const [at, { text }] of words.entries()) if (text === '-TT') state.run(words[at + 1]?.text ?? '');
  if (options.has('m', 'move')) state.emitAll('tree', options.operands.slice(1));
};

const sevenZip: Command = (words, state) => {
  const [mode, ...rest] = words;
  const options = sortOptions(rest, { attached: 'opsrtmxi' });
  const folder = rest.find((word) => /^-o./.test(word?.text ?? ''));
  if (/^[xe]$/.test(mode?.text ?? '')) unpackInto(folder ? plain(folder.text.slice(2)) : undefined, state);
  if (/^[aud]$/.test(mode?.text ?? '')) state.emit('write', options.operands[0]);
};

/** The file is replaced by a packed or unpacked one in the same folder. */
const squeeze: Command = (words, state) => {
  const options = sortOptions(words, { short: 'SbT', long: 'suffix threads' });
  if (options.has('c', 'stdout', 'to-stdout', 't', 'test', 'l', 'list')) return;
  state.emitAll(options.has('r', 'recursive') ? 'tree' : 'write', options.operands);
};

const cpio: Command = (words, state) => {
  const options = sortOptions(words, { short: 'FHDO', long: 'file directory format' });
  if (options.has('i', 'extract') && !options.has('t', 'list'))
    unpackInto(options.value('D', 'directory'), state);
  if (options.has('p', 'pass-through')) state.emitAll('into', options.operands);
};

export const archiveCommands: Readonly<Record<string, Command>> = {
  ...named('tar gtar bsdtar', tar),
  ...named('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd', squeeze),
  ...named('7z 7za', sevenZip),
  unzip,
  zip,
  cpio,
};
