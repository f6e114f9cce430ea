import { home, writeRoute } from '../route.ts';
import type { Session } from '../shapes.ts';
import { count, plural } from '../text/words.ts';
import { dayWith } from './near-days.tsx';

/** A quarter: as many as fit a phone, each day as large as a finger needs. */
const weeksMax = 13;
const weekMs = 7 * 86_400_000;
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short' });
const sinceFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'long' });

type Cell = ReturnType<typeof weeksUpTo>[number][number];

/** The days of the last quarter: the more was done, the darker. A day opens its sessions. */
export function Calendar({ sessions, nowMs }: { sessions: readonly Session[]; nowMs: number }) {
  const newest = Math.min(nowMs, Date.parse(sessions[0]?.lastTs ?? '') || nowMs);
  // Of a project at rest, its last active months are shown.
  const weeks = weeksUpTo(nowMs - newest > weeksMax * weekMs ? newest : nowMs, sessions);
  const most = Math.max(1, ...weeks.flat().map(({ events }) => events));
  const sumOf = (what: 'sessions' | 'events'): number =>
    weeks.flat().reduce((sum, cell) => sum + cell[what], 0);
  return (
    <section class="panel">
      <h2>Activity</h2>
      <div class="calendar">
        <div class="week weekdays" aria-hidden="true">
          <span class="month" />
          {['Mon', '', 'Wed', '', 'Fri', '', 'Sun'].map((name, at) => (
            <span key={at}>{name}</span>
          ))}
        </div>
        {weeks.map((week, at) => (
          <div key={at} class="week">
            <span class="month" aria-hidden="true">
              {monthName(weeks, at)}
            </span>
            {week.map((cell) => (
              <DayCell key={cell.start.getTime()} cell={cell} most={most} nowMs={nowMs} />
            ))}
          </div>
        ))}
      </div>
      <p class="calendar-key quiet" aria-hidden="true">
        few events
        {[1, 2, 3, 4].map((level) => (
          <span key={level} class={`key-cell level-${level}`} />
        ))}
        many
      </p>
      <p class="quiet">
        {plural(sumOf('sessions'), 'session')}, {plural(sumOf('events'), 'event')} since{' '}
        {sinceFormat.format(weeks.flat().find((cell) => cell.sessions > 0)?.start)}
      </p>
    </section>
  );
}

function DayCell({ cell, most, nowMs }: { cell: Cell; most: number; nowMs: number }) {
  const { start, sessions, events } = cell;
  if (start.getTime() > nowMs) return <span class="day-cell is-later" />;
  if (sessions === 0) return <span class="day-cell" />;
  const level = Math.max(1, Math.ceil(Math.sqrt(events / most) * 4));
  const said = `${dayFormat.format(start)}: ${plural(sessions, 'session')}, ${count(events)} events`;
  const link = { ...home, view: 'sessions' as const, ...dayWith(start.getTime()) };
  return (
    <a class={`day-cell level-${level}`} href={writeRoute(link)} title={said}>
      <span class="unseen">{said}</span>
    </a>
  );
}

/** A month is named over its first week, the first one only if its name has room. */
function monthName(weeks: readonly (readonly Cell[])[], at: number): string {
  const month = (week: number): Date | undefined => weeks[week]?.[0]?.start;
  const first = month(at);
  if (first === undefined) return '';
  const other = at === 0 ? month(namedWeeks) : month(at - 1);
  const isSame = other?.getMonth() === first.getMonth();
  return isSame === (at === 0) ? monthFormat.format(first) : '';
}

const namedWeeks = 2;

/** Weeks from Monday on, oldest first. */
function weeksUpTo(lastMs: number, sessions: readonly Session[]) {
  const byDay = new Map<number, { sessions: number; events: number }>();
  for (const { lastTs, events } of sessions) {
    const day = new Date(lastTs).setHours(0, 0, 0, 0);
    const before = byDay.get(day) ?? { sessions: 0, events: 0 };
    byDay.set(day, { sessions: before.sessions + 1, events: before.events + events });
  }
  const monday = new Date(new Date(lastMs).setHours(0, 0, 0, 0));
  monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7) - (weeksMax - 1) * 7);
  return Array.from({ length: weeksMax }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const start = new Date(monday);
      start.setDate(start.getDate() + week * 7 + day);
      return { start, ...(byDay.get(start.getTime()) ?? { sessions: 0, events: 0 }) };
    }),
  );
}
