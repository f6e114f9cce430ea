import type { SearchReads } from '../../memory/store/index.ts';
import { groupedBy } from './groups.ts';
import type { Ranked } from './rank.ts';
import type { Hit, SessionHit } from './shapes.ts';

const momentsMax = 3;
/** Each next moment of a session counts less: five mentions are more than one, and not five times as much. */
const momentHalving = 0.7;
const momentsCounted = 5;

/** The sessions of `ranked`, the one with the best moments first. A call without a session has none. */
export function sessionsOf(
  store: SearchReads,
  ranked: readonly Ranked[],
  limit: number,
  hitsOf: (moments: readonly Ranked[]) => Hit[],
): SessionHit[] {
  return [...groupedBy(ranked, ({ place }) => place.sessionId || null)]
    .map(([sessionId, found]) => ({ sessionId, found, score: scoreOf(found) }))
    .sort((a, b) => b.score - a.score || (a.sessionId < b.sessionId ? -1 : 1))
    .slice(0, limit)
    .map(({ sessionId, found, score }, at) => {
      const moments = hitsOf(found.filter(({ place }) => place.kind !== 'session').slice(0, momentsMax));
      return { sessionId, rank: at + 1, score, ...store.session(sessionId), moments };
    });
}

function scoreOf(bestFirst: readonly Ranked[]): number {
  return bestFirst
    .slice(0, momentsCounted)
    .reduce((sum, { score }, at) => sum + score * momentHalving ** at, 0);
}
