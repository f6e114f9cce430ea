import { plain, unread } from '../../boundary/index.ts';
import { sortOptions } from './options.ts';
import type { State } from './state.ts';
import { noStdin, type Stdin, type Word } from './stdin.ts';

/** What programs that list files put out: a search where they look, or some name; null for other programs. */
export function listingOf(program: string, words: readonly Word[], state: State): Stdin | null {
  switch (program) {
    case 'ls': {
      const { operands } = sortOptions(words, { short: 'ITw', long: 'ignore' });
      const isPlain = operands.every(({ pattern }) => pattern !== null);
      return operands.length > 0 && isPlain ? { words: operands, text: null } : found(operands, state);
    }
    case 'grep':
    case 'egrep':
    case 'rg': {
      const options = sortOptions(words, {
        short: 'efmABCgtTd',
        long: 'regexp file include exclude exclude-dir glob type max-count',
      });
      if (!options.has('l', 'files-with-matches', 'L', 'files', 'files-without-match')) return null;
      const hasExpression = options.has('e', 'regexp', 'files');
      return found(
        options.operands.slice(hasExpression ? 0 : 1),
        state,
        options.values('include').map(({ text }) => text),
      );
    }
    case 'fd':
    case 'fdfind':
      return found([], state);
    case 'git':
      return gitListing(words, state);
    default:
      return null;
  }
}

function gitListing(all: readonly Word[], state: State): Stdin | null {
  const words = all.filter(
    (word, at) => !/^-[Cc]$/.test(word.text) && !/^-[Cc]$/.test(all[at - 1]?.text ?? ''),
  );
  const [name, ...rest] = words;
  const has = (text: string): boolean => rest.some((word) => word.text === text);
  const behind = rest.slice(rest.findIndex(({ text }) => text === '--') + 1);
  const paths = has('--') ? behind : [];
  const said = (text: string): Stdin => ({ words: [plain(text)], text: null });
  switch (name?.text ?? '') {
    case 'ls-files':
      return found(has('--') ? behind : rest.filter(({ text }) => !text.startsWith('-')), state);
    case 'grep':
      return has('-l') || has('--files-with-matches') ? found(paths, state) : null;
    case 'diff':
    case 'show':
      return has('--name-only') ? found(paths, state) : null;
    case 'branch':
      return said(unread.name);
    case 'rev-list':
    case 'merge-base':
    case 'log':
    case 'hash-object':
    case 'write-tree':
    case 'commit-tree':
      return name?.text === 'log' &&
        !rest.some(({ text }) => /^--(?:format|pretty)=['"]?(?:format:)?%[Hhct]+t?$/.test(text))
        ? null
        : said(unread.number);
    case 'rev-parse':
      return has('--show-toplevel')
        ? said(state.setting.top ?? unread.any)
        : said(has('--abbrev-ref') ? unread.name : unread.number);
    default:
      return null;
  }
}

/** Below `starts`, or below where the shell stands. */
function found(starts: readonly Word[], state: State, names: readonly string[] = []): Stdin {
  const own = state.from.slice(0, 1).map(() => plain('.'));
  return { ...noStdin, search: { starts: starts.length > 0 ? starts : own, names } };
}
