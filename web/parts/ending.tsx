import type { Ending } from '../../src/memory/account/account.ts';

export const endingNames: Readonly<Record<Ending, string>> = {
  failing: 'check failing',
  unfinished: 'unfinished',
  committed: 'committed',
  changed: 'changed',
  looked: 'no edit seen',
};

/** How a session ended, in a word. Nothing while that is not known. */
export function EndingChip({ ending }: { ending: Ending | null }) {
  return ending === null ? null : <span class={`flag ending-${ending}`}>{endingNames[ending]}</span>;
}
