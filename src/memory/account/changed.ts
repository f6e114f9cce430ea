import { counted, listed } from '#reading/text';
import type { ChangedFile, SessionAccount } from './account.ts';
import { command, quoted } from './words.ts';

/** The changed files, the most edited first, with the symbols that were written. */
export function changedLine({ files, filesCount, mayBeMore }: SessionAccount, max: number): string {
  if (files.length === 0) return '';
  const kept = files.filter(({ isGone }) => !isGone);
  const names = files.filter(({ isGone }) => isGone).map(({ path }) => short(path));
  const gone = names.length === 0 ? '' : `removed ${listed(names, Math.floor(max / 4), ', ', 3)}`;
  const shown = kept.map((file, at) => workIn(file, at < symbolFilesMax));
  // Those that only a commit counts have no name.
  const more = Array<string>(Math.max(0, filesCount - files.length)).fill('');
  const least = mayBeMore ? 'at least ' : '';
  const total = filesCount > 1 || mayBeMore ? `${least}${counted(filesCount, 'file')}: ` : '';
  const named = listed([...shown, ...more], max - gone.length, ', ', Math.min(filesShown, shown.length));
  const parts = [named, gone];
  return `${total}${parts.filter((part) => part !== '').join('; ')}`;
}

const filesShown = 6;
const symbolFilesMax = 3;

function workIn({ path, edits, isNew, symbols }: ChangedFile, withSymbols: boolean): string {
  const done = isNew
    ? edits > 1
      ? `created, ${counted(edits - 1, 'edit')}`
      : 'created'
    : edits === 0
      ? 'by a command'
      : counted(edits, 'edit');
  const names = withSymbols && !prose.test(path) ? symbols : [];
  return `${short(path)} (${done}${names.length === 0 ? '' : `: ${listed(names, 60, ', ', 3)}`})`;
}

/** Nobody looks for their headings and keys as symbols. */
const prose = /\.(?:mdx?|markdown|txt|rst|adoc|jsonc?|ya?ml|toml|lock)$/i;

/** The files read most and the words looked for, for a session that changed nothing. */
export function lookedLine({ looked: { files, words } }: SessionAccount, max: number): string {
  const sought = words.map((name) => quoted(name, 40));
  const parts = [
    files.length === 0
      ? ''
      : `${counted(files.length, 'file')}: ${listed(files.map(short), Math.floor(max * 0.7), ', ', 6)}`,
    sought.length === 0 ? '' : `looked for ${listed(sought, Math.floor(max * 0.3), ', ', 3)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** The commands run most, for the same. */
export function ranLine({ commands }: SessionAccount, max: number): string {
  const names = commands.map((one) => command(one.command, 70));
  return names.length === 0 ? '' : `${counted(names.length, 'command')}: ${listed(names, max, ', ', 4)}`;
}

/** The end of a long path. */
function short(path: string): string {
  const parts = path.split('/');
  return path.length <= pathCharsShown ? path : `…/${parts.slice(-3).join('/')}`;
}

const pathCharsShown = 60;
