import { type Route, writeRoute } from '../route.ts';
import type { Session } from '../shapes.ts';
import { dayName, startOfDay } from '../text/words.ts';
import { useNow } from './hooks.ts';

interface NearProps {
  /** Newest first. */
  readonly sessions: readonly Pick<Session, 'sessionId' | 'lastTs'>[];
  /** A time of which there is nothing; empty: without that bound. */
  readonly since: string;
  readonly until: string;
  /** What shows a day. */
  readonly route: Route;
}

/** The days with sessions before and after a time without any. */
export function NearDays({ sessions: all, since, until, route }: NearProps) {
  const nowMs = useNow();
  const sessions = all.filter(({ sessionId }) => route.session === '' || sessionId === route.session);
  const before = sessions.find(({ lastTs }) => lastTs < since);
  const after = until === '' ? undefined : sessions.findLast(({ lastTs }) => lastTs >= until);
  const near = [before, after].flatMap((session) => (session === undefined ? [] : [session.lastTs]));
  if (near.length === 0) return null;
  return (
    <p>
      Nearest {near.length === 1 ? 'day' : 'days'} with sessions:{' '}
      {near.map((ts, at) => (
        <span key={ts}>
          {at > 0 && ', '}
          <a href={writeRoute({ ...route, ...dayWith(Date.parse(ts)) })}>{dayName(ts, nowMs)}</a>
        </span>
      ))}
    </p>
  );
}

/** The day of a time, as a filter. */
export function dayWith(ms: number): Pick<Route, 'since' | 'until'> {
  const start = new Date(startOfDay(ms));
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { since: start.toISOString(), until: end.toISOString() };
}
