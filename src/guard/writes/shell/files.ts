import path from 'node:path';
import { type Effect, plain } from '#guard/boundary';
import { type OptionSpec, type Options, sortOptions } from './options.ts';
import { type Command, named, resolveIn, type State } from './state.ts';
import { unknownInput, type Word } from './stdin.ts';
import { temporaryOf } from './temporary.ts';

/** Programs that write every operand. */
function operands(effect: Effect, spec: OptionSpec = {}): Command {
  return (words, state) => state.emitAll(effect, sortOptions(words, spec).operands);
}

/** The same after a first operand that is not a file: a mode, an owner, a program. */
function afterFirst(effect: Effect, spec: OptionSpec = {}): Command {
  return (words, state) => {
    const options = sortOptions(words, spec);
    const from = options.has('reference') ? 0 : 1;
    state.emitAll(options.has('R', 'recursive') ? 'tree' : effect, options.operands.slice(from));
  };
}

/** Programs that write the file in an option. */
function atOption(names: readonly string[], spec: OptionSpec): Command {
  return (words, state) => state.emitAll('write', sortOptions(words, spec).values(...names));
}

/** The destination is last, or in `-t`. */
function destinationOf(options: Options): { sources: readonly Word[]; to: Word | undefined } {
  const folder = options.value('t', 'target-directory');
  if (folder === undefined) return { sources: options.operands.slice(0, -1), to: options.operands.at(-1) };
  return { sources: options.operands, to: plain(`${folder.text}/`) };
}

const copying: OptionSpec = {
  short: 'tSgmo',
  long: 'target-directory suffix backup group mode owner strip-program',
};

const copy: Command = (words, state) => {
  const options = sortOptions(words, { ...copying, short: 'tS' });
  const { sources, to } = destinationOf(options);
  state.emitCopy(sources, to);
  // A hard link is a way to write the file that later calls hide.
  if (options.has('l', 'link')) state.emitAll('write', sources);
};

const move: Command = (words, state) => {
  const { sources, to } = destinationOf(sortOptions(words, { ...copying, short: 'tS' }));
  state.emitAll('tree', sources);
  state.emitCopy(sources, to);
};

const install: Command = (words, state) => {
  const options = sortOptions(words, copying);
  if (options.has('d', 'directory')) return state.emitAll('folder', options.operands);
  const { sources, to } = destinationOf(options);
  state.emitCopy(sources, to);
};

const link: Command = (words, state) => {
  const options = sortOptions(words, { ...copying, short: 'tS' });
  const isSymbolic = options.has('s', 'symbolic');
  const { sources, to } =
    options.operands.length === 1 && !options.has('t', 'target-directory')
      ? { sources: options.operands, to: plain('./') }
      : destinationOf(options);
  if (!isSymbolic) state.emitAll('write', sources);
  state.emitCopy(sources, to, { isLink: true });
  if (isSymbolic) for (const source of sources) leadTo(source, to, state);
};

/** A symbolic link is relative to its own folder, and later commands may write through it. */
function leadTo(source: Word, to: Word | undefined, state: State): void {
  if (to === undefined) return;
  for (const folder of state.from) {
    const place = resolveIn(folder, to.text);
    const isFolder = /(?:^|\/)\.{0,2}$/.test(to.text);
    const link = isFolder ? path.join(place, path.basename(source.text)) : place;
    const leads = resolveIn(path.dirname(link), source.text);
    state.emit('linked', plain(leads));
    state.addLink(link, leads);
  }
}

const dd: Command = (words, state) => {
  for (const { text } of words) if (text.startsWith('of=')) state.emit('write', plain(text.slice(3)));
};

/** Stream editors write their files with `-i`. The first operand is the program unless an option holds it. */
function inPlace(
  spec: OptionSpec,
  program: readonly string[],
  isInPlace: (options: Options) => boolean,
): Command {
  return (words, state) => {
    const options = sortOptions(words, spec);
    if (!isInPlace(options)) return;
    const files = options.has(...program) ? options.operands : options.operands.slice(1);
    state.emitAll('write', files);
  };
}

const stream = (options: Options): boolean => options.has('i', 'in-place', 'inplace');

const sed: Command = (words, state) => {
  // BSD's `-i ''` has its suffix in a word of its own; for GNU's sed it is an empty program before the files.
  const args = words.filter((word, at) => !(word?.text === '' && words[at - 1]?.text === '-i'));
  const spec = { short: 'efl', attached: 'i', long: 'expression file line-length' };
  const program = ['e', 'f', 'expression', 'file'];
  const sorted = sortOptions(args, spec);
  const isEmpty = args.length < words.length && sorted.operands.length === 1 && !sorted.has(...program);
  inPlace(spec, program, stream)(isEmpty ? words : args, state, unknownInput);
  const scripts = sorted.has(...program) ? sorted.values('e', 'expression') : sorted.operands.slice(0, 1);
  for (const script of scripts)
    for (const [, , written, command = '', name = ''] of script.text.matchAll(sedStep)) {
      const file = written ?? (command && name);
      if (command === 'e') state.run(name);
      else if (file !== '') state.emit('write', plain(file));
    }
};

/** The steps of a script of sed, one after another: only `w`, a flag `w` and `e` count. */
const sedStep =
  /[sy]([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiImM\d]*(?:w[ \t]*([^\n]+))?|\/(?:\\.|[^/\\\n])*\/|[aicrR][^\n]*|[btT:][ \t]*\w*|([wWe])[ \t]*([^\n]*)|[\s\S]/g;

/** `print > "FILE"`, `print | "COMMAND"` and `system("COMMAND")`; a comparison stands in parentheses or in no `print`. */
const awk: Command = (words, state, stdin) => {
  const options = sortOptions(words, awkSpec);
  inPlace(awkSpec, ['f', 'file'], includesInPlace)(words, state, stdin);
  const [program] = options.has('f', 'file') ? [] : options.operands;
  for (const [, to, file = '', command] of program?.text.matchAll(awkOutput) ?? []) {
    if (to?.startsWith('>')) state.emit('write', plain(file));
    else state.run(command ?? file);
  }
};

const awkSpec = { short: 'Ffvil', long: 'include file' };
const awkOutput =
  /\bprintf?\b(?:"(?:\\.|[^"\\])*"|\((?:[^()"]|"(?:\\.|[^"\\])*")*\)|[^;{}\n"()>|])*(>>?|\|)\s*"((?:\\.|[^"\\])*)"|\bsystem\s*\(\s*"((?:\\.|[^"\\])*)"/g;

/** Programs that write the operands from that position on; `tail` is what the program adds to a name. */
function operandsFrom(at: number, spec: OptionSpec, tail = ''): Command {
  return (words, state) => {
    const named = sortOptions(words, spec).operands.slice(at);
    state.emitAll('write', tail === '' ? named : named.map(({ text }) => plain(`${text}${tail}`)));
  };
}

/** Compilers do not bundle letters (`-fno-common`, `go test -short`): the file is behind `-o`, or in a word that `attached` matches. */
function compiler(attached: RegExp, option = /^(?:-o|--output)$/): Command {
  return (words, state) => {
    for (const [at, word] of words.entries()) {
      const text = word?.text ?? '';
      const file = attached.exec(text)?.[1];
      if (option.test(text)) state.emit('write', words[at + 1]);
      else if (file !== undefined) state.emit('write', plain(file));
    }
  };
}

const compile = compiler(/^(?:-o|--output=)(.+)$/s);

/** A mode that removes rights (`chmod -x f`) looks like options. */
const chmod: Command = (words, state, stdin) => {
  const args = words.map((word) => (/^-[rwxXstugo]+$/.test(word?.text ?? '') ? plain('mode') : word));
  afterFirst('write', { long: 'reference' })(args, state, stdin);
};

const yq: Command = (words, state, stdin) => {
  // Its subcommands stand before the expression and are optional.
  const at = words.findIndex((word) => /^(?:e|ea|eval|eval-all)$/.test(word?.text ?? ''));
  inPlace({ short: 'oI', long: 'output-format indent' }, ['expression'], stream)(
    words.filter((_, place) => place !== at),
    state,
    stdin,
  );
};

export const fileCommands: Readonly<Record<string, Command>> = {
  rm: (words, state) => {
    const options = sortOptions(words);
    state.emitAll(options.has('r', 'R', 'recursive') ? 'tree' : 'write', options.operands);
  },
  shred: operands('write', { short: 'ns', long: 'iterations size random-source' }),
  ...named('srm trash trash-put rimraf del del-cli', operands('tree')),
  ...named('mkdir mkdirp', operands('folder', { short: 'm', long: 'mode' })),
  mkfifo: operands('write', { short: 'm', long: 'mode' }),
  mknod: (words, state) => state.emit('write', sortOptions(words, { short: 'm', long: 'mode' }).operands[0]),
  fallocate: operands('write', { short: 'lo', long: 'length offset' }),
  setfacl: operands('write', { short: 'mxMX', long: 'modify remove modify-file remove-file' }),
  setfattr: operands('write', { short: 'nvx', long: 'name value remove' }),
  uniq: operandsFrom(1, { short: 'fsw', long: 'skip-fields skip-chars check-chars' }),
  xxd: operandsFrom(1, { short: 'clnogsR' }),
  split: operandsFrom(1, { short: 'abCln', long: 'suffix-length bytes lines number' }, 'aa'),
  csplit: (words, state) => {
    const options = sortOptions(words, { short: 'fbn', long: 'prefix suffix-format digits' });
    for (const { text } of options.values('f', 'prefix')) state.emit('write', plain(`${text}00`));
  },
  openssl: compiler(/^-out=(.+)$/s, /^-out$/),
  mktemp: (words, state) => state.emit('write', plain(temporaryOf(words, state))),
  touch: operands('write', { short: 'drt', long: 'date reference time' }),
  truncate: operands('write', { short: 'sr', long: 'size reference' }),
  ...named('unlink rmdir tee sponge dos2unix unix2dos link', operands('write')),
  ed: operands('write', { short: 'p' }),
  ex: operands('write', { short: 'c' }),
  chmod,
  chown: afterFirst('write', { long: 'reference from' }),
  chgrp: afterFirst('write', { long: 'reference' }),
  chattr: afterFirst('write'),
  rename: afterFirst('tree'),
  ...named('cp gcp ncp cpx', copy),
  mv: move,
  install,
  ln: link,
  dd,
  ...named('sed gsed', sed),
  perl: inPlace({ short: 'eEIMm', attached: 'iFCx', digits: '0l' }, ['e', 'E'], stream),
  ruby: inPlace({ short: 'eIrEC', attached: 'iFKx', digits: '0TW' }, ['e'], stream),
  ...named('awk gawk mawk nawk', awk),
  yq,
  sort: atOption(['o', 'output'], { short: 'okStT', long: 'output key field-separator buffer-size' }),
  shuf: atOption(['o', 'output'], { short: 'oin', long: 'output head-count' }),
  ...named('cc gcc g++ c++ clang clang++ ld rustc', compile),
  go: compiler(/^--?o=(.+)$/s),
};

function includesInPlace(options: Options): boolean {
  return options.values('i', 'include').some((word) => word?.text === 'inplace');
}
