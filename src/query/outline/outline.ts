import { OutlineReads, type Store } from '../../memory/store/index.ts';
import type { State } from '../state/index.ts';
import { openFailures } from './failures.ts';
import { type Memory, type Outline, outlineText } from './text.ts';

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
  states: ReadonlyMap<number, State> = new Map(),
): string {
  if (tokenBudget === 0) return '';
  const reads = new OutlineReads(store);
  const isKnown = source === 'resume' || source === 'fork';
  return outlineText(
    {
      pinned: standing(reads.pinned(outlinePinnedMax), states),
      failures: isKnown ? [] : openFailures(reads),
      session: isKnown ? null : source === 'compact' ? ownSoFar(reads, session) : reads.lastSession(session),
    },
    tokenBudget,
  );
}

/** The memories whose states `outline` shows. */
export function outlined(store: Pick<Store, 'connection'>): number[] {
  return new OutlineReads(store).pinned(outlinePinnedMax).map(({ id }) => id);
}

/** Without those of which nothing is left; the others say when they have changed. */
function standing(memories: readonly Memory[], states: ReadonlyMap<number, State>): readonly Memory[] {
  return memories.flatMap((memory) => {
    const state = states.get(memory.id);
    if (state?.verdict === 'gone') return [];
    return state?.verdict === 'changed'
      ? { ...memory, text: `(changed: ${state.detail}) ${memory.text}` }
      : memory;
  });
}

function ownSoFar(reads: OutlineReads, session: string): Outline['session'] {
  const own = reads.session(session);
  return own === null ? null : { ...own, isOwn: true };
}
