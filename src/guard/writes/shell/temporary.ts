import { sortOptions } from './options.ts';
import type { State } from './state.ts';
import type { Word } from './stdin.ts';

/** The path that `mktemp` makes. */
export function temporaryOf(words: readonly Word[], state: State): string {
  const options = sortOptions(words, { short: 'p', long: 'suffix' });
  // GNU takes a value for `--tmpdir` behind `=` only.
  const tmpdir = words.map(({ text }) => /^--tmpdir=(.+)$/s.exec(text)?.[1]).find((one) => one !== undefined);
  const folder = tmpdir ?? options.value('p')?.text ?? state.valuesOf('TMPDIR')?.[0]?.text ?? '/tmp';
  const [template] = options.operands;
  if (template === undefined) return `${folder}/tmp.XXXXXXXXXX`;
  return options.has('t', 'p', 'tmpdir') ? `${folder}/${template.text}` : template.text;
}
