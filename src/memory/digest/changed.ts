import { counted, listed } from '../../calls/text/index.ts';
import { command, quoted } from './quotes.ts';
import type { FileWork, SessionTally } from './tally.ts';

/** The changed files, the most edited first, with the symbols that were written. */
export function changedLine({ files }: SessionTally, max: number): string {
  const work = [...files.values()];
  // A file that was created and removed leaves nothing.
  const left = work.filter(({ created, removed }) => !(created && removed));
  const kept = left.filter(({ removed }) => !removed).sort((one, other) => other.edits - one.edits);
  const removed = left.filter((file) => file.removed);
  if (left.length === 0) return '';
  const shown = kept.map((file, at) => workIn(file, at < symbolFilesMax));
  const names = removed.map(({ path }) => short(path));
  const gone = names.length === 0 ? '' : `removed ${listed(names, Math.floor(max / 4), ', ', 3)}`;
  const total = left.length > 1 ? `${counted(left.length, 'file')}: ` : '';
  const parts = [listed(shown, max - gone.length, ', ', 6), gone];
  return `${total}${parts.filter((part) => part !== '').join('; ')}`;
}

const symbolFilesMax = 3;

function workIn({ path, edits, created, symbols }: FileWork, withSymbols: boolean): string {
  const done = created
    ? edits > 1
      ? `created, ${counted(edits - 1, 'edit')}`
      : 'created'
    : counted(edits, 'edit');
  const names = withSymbols && !prose.test(path) ? [...symbols].filter((name) => name.length <= 40) : [];
  return `${short(path)} (${done}${names.length === 0 ? '' : `: ${listed(names, 60, ', ', 3)}`})`;
}

/** Nobody looks for their headings and keys as symbols. */
const prose = /\.(?:mdx?|markdown|txt|rst|adoc|jsonc?|ya?ml|toml|lock)$/i;

/** The files read most and the words looked for, for a session that changed nothing. */
export function lookedLine({ reads, sought }: SessionTally, max: number): string {
  const most = byCount(reads).map(short);
  const words = [...sought].map((name) => quoted(name, 40));
  const parts = [
    most.length === 0
      ? ''
      : `${counted(most.length, 'file')}: ${listed(most, Math.floor(max * 0.7), ', ', 6)}`,
    words.length === 0 ? '' : `looked for ${listed(words, Math.floor(max * 0.3), ', ', 3)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** The commands run most, for the same. */
export function ranLine({ commands }: SessionTally, max: number): string {
  const most = byCount(commands).map((name) => command(name, 70));
  return most.length === 0 ? '' : `${counted(most.length, 'command')}: ${listed(most, max, ', ', 4)}`;
}

function byCount(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** The end of a long path. */
function short(path: string): string {
  const parts = path.split('/');
  return path.length <= pathCharsShown ? path : `…/${parts.slice(-3).join('/')}`;
}

const pathCharsShown = 60;
