import { outlinePinnedMax } from '../limits.ts';
import { OutlineReads, type Store } from '../store/index.ts';
import { openFailures } from './failures.ts';
import { outlineText } from './text.ts';

export interface OutlineRequest {
  /** The session that asks: it is not told of itself. */
  readonly session: string;
  /** Why the session begins, in the client's word: `startup`, `clear`, `resume`, `fork`, `compact`, or any other. */
  readonly source: string;
}

/**
 * The outline for a session that begins, at most `tokenBudget` tokens; empty when there is nothing to tell. A session that
 * goes on has what it was told before: resumed or forked it is told of what is pinned alone; after a compaction of all but the former session.
 */
export function outline(
  store: Pick<Store, 'connection'>,
  { session, source }: OutlineRequest,
  tokenBudget: number,
): string {
  if (tokenBudget === 0) return '';
  const reads = new OutlineReads(store);
  const isKnown = source === 'resume' || source === 'fork';
  return outlineText(
    {
      pinned: reads.pinned(outlinePinnedMax),
      failures: isKnown ? [] : openFailures(reads),
      session: isKnown || source === 'compact' ? null : reads.lastSession(session),
    },
    tokenBudget,
  );
}
