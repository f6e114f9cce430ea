import { OutlineReads, type Store } from '../../memory/store/index.ts';
import { openFailures } from './failures.ts';
import { type Outline, outlineText } from './text.ts';

const outlinePinnedMax = 12;

export interface OutlineRequest {
  /** The session that starts. It does not get its own digest, except after a compaction. */
  readonly session: string;
  /** The client's reason: `startup`, `clear`, `resume`, `fork`, `compact` or another word. */
  readonly source: string;
}

/**
 * The outline of at most `tokenBudget` tokens; may be empty. A resumed or forked session still has its context and
 * gets only pinned memories. A compacted session gets its own digest instead of the last session.
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
