import path from 'node:path';
import { hasUnread, patchNames, plain, unread } from '#guard/boundary';
import { type Options, sortOptions } from './options.ts';
import type { Command, State } from './state.ts';
import type { Stdin, Word } from './stdin.ts';

/** `patch`: the file in its arguments, else the files that the patch names. */
export const patchCommand: Command = (words, state, stdin) => {
  const options = sortOptions(words, {
    short: 'pidoBDFgrVYz',
    long: 'strip input directory output prefix fuzz reject-file suffix',
  });
  if (options.has('dry-run', 'C', 'check')) return;
  const folder = options.value('d', 'directory');
  if (folder !== undefined) {
    // The names in an unknown patch are at least in this folder.
    state.emit('linked', folder);
    state.changeFolder(folder);
  }
  const output = options.value('o', 'output');
  const [original, file] = options.operands;
  if (output !== undefined) return state.emit('write', output);
  if (original !== undefined) return state.emit('write', original);
  const strip = options.value('p', 'strip');
  // Without `-p`, patch uses the last part of a name or all of it: both count.
  const strips = strip === undefined ? [0, 1] : [numberOf(strip, 0)];
  const input = options.value('i', 'input') ?? file;
  for (const one of strips) patched(input ?? null, stdin, one, '', state);
};

/** `git apply` and `git am`. */
export function gitApply(options: Options, state: State, stdin: Stdin): void {
  const isOnlyShown = options.has('check', 'stat', 'numstat', 'summary') && !options.has('apply');
  if (isOnlyShown) return;
  const folder = options.value('directory')?.text ?? '';
  const strip = numberOf(options.value('p') ?? null, 1);
  const files = options.operands.length === 0 ? [null] : options.operands;
  for (const file of files) patched(file, stdin, strip, folder, state);
}

function patched(named: Word | null, stdin: Stdin, strip: number, folder: string, state: State): void {
  const isInput = named === null || named.text === '-' || named.text === '/dev/stdin';
  const pipe = isInput ? null : state.findings.pipeAt(named.text);
  if (pipe !== null) {
    patched(null, pipe, strip, folder, state);
    return;
  }
  const file = isInput ? (stdin.file ?? null) : named;
  if (file !== null) {
    state.add({
      kind: 'patch',
      at: state.cwdCandidates,
      file: state.findings.withoutMarks(file),
      strip,
      folder,
    });
    return;
  }
  const names = stdin.texts.flatMap((text) => (hasUnread(text) ? [unread.any] : patchNames(text, strip)));
  for (const name of names) state.emit('write', plain(path.posix.join(folder, name)));
}

function numberOf(word: Word | null, otherwise: number): number {
  const value = Number(word?.text ?? '');
  return word !== null && Number.isInteger(value) && value >= 0 ? value : otherwise;
}
