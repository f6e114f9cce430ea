import { OutlineReads, type Store } from '../../memory/store/index.ts';
import { openFailures } from './failures.ts';
import { type Outline, outlineText } from './text.ts';

const outlinePinnedMax = 12;

export interface OutlineRequest {
  /** The session that asks: it is not told of itself, unless it has just forgotten. */
  readonly session: string;
  /** Why the session begins, in the client's word: `startup`, `clear`, `resume`, `fork`, `compact`, or any other. */
  readonly source: string;
}

/**
 * The outline for a session that begins, at most `tokenBudget` tokens; empty when there is nothing to tell. A session that
 * goes on has what it was told before: resumed or forked it is told of what is pinned alone. A compaction has cut that off, and most of
 * what the session did itself: it is told what it did so far, in the place of the former session.
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
      session: isKnown ? null : source === 'compact' ? ownSoFar(reads, session) : reads.lastSession(session),
    },
    tokenBudget,
  );
}

function ownSoFar(reads: OutlineReads, session: string): Outline['session'] {
  const own = reads.session(session);
  return own === null ? null : { ...own, isOwn: true };
}
