import { useMemo } from 'preact/hooks';
import { api } from '../api.ts';
import type { OpenNow, Session } from '../shapes.ts';
import { useLoad } from './hooks.ts';

/** Failures and open work of older sessions are seldom open still. */
export const recentSessions = 6;

/** What git says now of the open work of the last sessions, by their ids: every list shows the same of them. */
export function useStandings(sessions: readonly Session[]): ReadonlyMap<string, OpenNow> {
  const last = sessions.slice(0, recentSessions);
  const key = last.map(({ sessionId, lastTs }) => `${sessionId} ${lastTs}`).join(' ');
  const asked = useLoad(key === '' ? null : key, (signal) =>
    Promise.all(
      last.map(async ({ sessionId }) => [sessionId, await api.standing(sessionId, signal)] as const),
    ),
  ).value;
  return useMemo(() => new Map(asked), [asked]);
}
