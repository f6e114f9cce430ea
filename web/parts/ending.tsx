import type { Session } from '../shapes.ts';
import { accountOf, endingNames, endingOf } from '../text/account.ts';

/** How a session ended, in a word. Nothing while it has no digest. */
export function EndingChip({ session: { digest } }: { session: Pick<Session, 'digest'> }) {
  if (digest === null) return null;
  const ending = endingOf(accountOf(digest));
  return ending === null ? null : <span class={`flag ending-${ending}`}>{endingNames[ending]}</span>;
}
