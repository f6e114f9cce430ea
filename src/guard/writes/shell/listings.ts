import { plain, unread } from '../../boundary/index.ts';
import { sortOptions } from './options.ts';
import type { State } from './state.ts';
import type { Stdin, Word } from './stdin.ts';

/** What programs that list files print: the results of a search, or some name; null for other programs. */
export function listingOf(program: string, words: readonly Word[], state: State): Stdin | null {
  switch (program) {
    case 'ls': {
      const { operands } = sortOptions(words, { short: 'ITw', long: 'ignore' });
      const isPlain = operands.every(({ pattern }) => pattern !== null);
      return operands.length > 0 && isPlain
        ? { texts: operands.map(({ text }) => text) }
        : found(operands, state);
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
      const names = options.values('include').map(({ text }) => text);
      return found(options.operands.slice(hasExpression ? 0 : 1), state, names);
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
  const has = (...texts: readonly string[]): boolean => rest.some(({ text }) => texts.includes(text));
  const paths = has('--') ? rest.slice(rest.findIndex(({ text }) => text === '--') + 1) : [];
  switch (name?.text ?? '') {
    case 'ls-files':
      return found(has('--') ? paths : rest.filter(({ text }) => !text.startsWith('-')), state);
    case 'grep':
      return has('-l', '--files-with-matches') ? found(paths, state) : null;
    case 'diff':
    case 'show':
      return has('--name-only') ? found(paths, state) : null;
    case 'branch':
      return { texts: [unread.name] };
    case 'log': {
      const isHash = rest.some(({ text }) => /^--(?:format|pretty)=['"]?(?:format:)?%[Hhct]+t?$/.test(text));
      return isHash ? { texts: [unread.number] } : null;
    }
    case 'rev-list':
    case 'merge-base':
    case 'hash-object':
    case 'write-tree':
    case 'commit-tree':
      return { texts: [unread.number] };
    case 'rev-parse':
      if (has('--show-toplevel')) return { texts: [state.setting.top ?? unread.any] };
      return { texts: [has('--abbrev-ref') ? unread.name : unread.number] };
    default:
      return null;
  }
}

/** Below `starts`, or below the current directory. */
function found(starts: readonly Word[], state: State, names: readonly string[] = []): Stdin {
  const own = state.from.slice(0, 1).map(() => plain('.'));
  return { texts: [state.findings.markOf({ starts: starts.length > 0 ? starts : own, names })] };
}
