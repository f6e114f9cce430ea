import { useEffect, useState } from 'preact/hooks';
import type { Ending } from '../../src/memory/account/account.ts';
import { api } from '../api.ts';
import { standingsPart } from '../limits.ts';
import type { Standings as Known, Session } from '../shapes.ts';

/** Failures and open work of older sessions are seldom open still. */
export const recentSessions = 6;

/** What git says of sessions, by their ids. */
export type Standings = ReadonlyMap<string, Known[string] & Pick<Session, 'lastTs'>>;

/** What git says now of the open work of the last sessions, and of earlier ones that changed files: every list shows the same of them. */
export function useStandings(sessions: readonly Session[]): Standings {
  const [known, setKnown] = useState<Standings>(new Map());
  const key = sessions.map(({ sessionId, lastTs }) => `${sessionId} ${lastTs}`).join(' ');
  useEffect(() => {
    const stop = new AbortController();
    const asked = sessions.filter(
      ({ sessionId, lastTs, brief }, at) =>
        at < recentSessions || (brief?.ending === 'changed' && known.get(sessionId)?.lastTs !== lastTs),
    );
    const ask = async (): Promise<void> => {
      for (let at = 0; at < asked.length; at += standingsPart) {
        const part = asked.slice(at, at + standingsPart);
        const ids = part.map(({ sessionId }) => sessionId);
        const found = await api.standings(ids, stop.signal);
        const now = part.flatMap(({ sessionId, lastTs }) => {
          const one = found[sessionId];
          return one === undefined ? [] : [[sessionId, { ...one, lastTs }] as const];
        });
        setKnown((before) => new Map([...before, ...now]));
      }
    };
    // What is not known is not said.
    ask().catch(() => {});
    return () => stop.abort();
  }, [key]);
  return known;
}

/** How it ended; null while git may still know more. */
export function endingNow({ sessionId, brief }: Session, known: Standings): Ending | null {
  const stored = brief?.ending ?? null;
  return known.get(sessionId)?.ending ?? (stored === 'changed' ? null : stored);
}
