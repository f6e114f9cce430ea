import type { Ending } from '../../src/memory/account/account.ts';
import { plural } from '../text/words.ts';

export const endingNames: Readonly<Record<Ending, string>> = {
  failing: 'check failing',
  unfinished: 'unfinished',
  committed: 'committed',
  changed: 'changed',
  looked: 'no edit seen',
};

/** How a session ended, in a word or two. Nothing while that is not known. */
export function EndingChip({ ending, files }: { ending: Ending | null; files: number }) {
  if (ending === null) return null;
  const words = ending === 'changed' && files > 0 ? `${plural(files, 'file')} changed` : endingNames[ending];
  return <span class={`flag ending-${ending}`}>{words}</span>;
}
