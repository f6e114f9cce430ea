import { api } from '../api.ts';
import type { Watched } from '../live.ts';
import { useAllSessions } from '../parts/all-sessions.ts';
import { Calendar } from '../parts/calendar.tsx';
import { useGeneration, useLateKey, useLoad, useNow } from '../parts/hooks.ts';
import { From, What } from '../parts/marks.tsx';
import { Plain } from '../parts/plain.tsx';
import { SessionRow } from '../parts/session-row.tsx';
import { endingNow, recentSessions, type Standings, useStandings } from '../parts/standings.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { home, memories, sessionLink, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Session } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { ago, plural, sessionName } from '../text/words.ts';
import { NothingYet } from './recent.tsx';
import { ownWords } from './rows.tsx';

const openTitleChars = 90;
const pinnedMax = 12;

/** What one wants to know on Monday: what was done last, what was left, what fails. */
export function Home({ watched }: { watched: Watched }) {
  const { events = null, summaries = null } = watched.status?.counts ?? {};
  const generation = useGeneration(events) + useGeneration(summaries);
  const all = useAllSessions(useLateKey(generation), events);
  const nowMs = useNow();
  const { sessions } = all;
  const last = sessions?.slice(0, recentSessions) ?? [];
  const open = useStandings(last);
  if (sessions === null && all.error !== null) {
    return <Failed what="The sessions" error={all.error} again={all.again} />;
  }
  if (sessions === null) return <Loading what="the last sessions" lines={12} />;
  if (sessions.length === 0) return <NothingYet status={watched.status} />;
  const isOfSeveral = sessions.some(({ client }) => client !== sessions[0]?.client);
  return (
    <div class="home">
      <section class="home-main" aria-labelledby="last-title">
        <h2 id="last-title">Last sessions</h2>
        <ol class="session-rows">
          {last.map((session) => (
            <SessionRow
              key={session.sessionId}
              session={session}
              ending={endingNow(session, open)}
              nowMs={nowMs}
              withClient={isOfSeveral}
              withDay
            />
          ))}
        </ol>
        <p class="below">
          <a href={writeRoute({ ...home, view: 'sessions' })}>
            {all.isWhole ? `All ${plural(sessions.length, 'session')}` : 'All sessions'}
          </a>
        </p>
      </section>
      <div class="home-side">
        <Focus focus={watched.status?.focus ?? null} />
        <Open sessions={last} open={open} nowMs={nowMs} />
        <Pinned generation={generation} />
        <Calendar sessions={sessions} nowMs={nowMs} />
      </div>
    </div>
  );
}

function Focus({ focus }: { focus: string | null }) {
  if (focus === null || focus === '') return null;
  return (
    <section class="panel">
      <h2>Focus</h2>
      <Plain as="p" dir="auto" text={focus} />
    </section>
  );
}

/** Failures that nothing has fixed, and work that was left. */
function Open({ sessions, open, nowMs }: { sessions: readonly Session[]; open: Standings; nowMs: number }) {
  const lately = sessions.length === 1 ? 'the last session' : `the last ${sessions.length} sessions`;
  const waiting = sessions.filter(({ brief }) => brief === null).length;
  const none = (words: string): string =>
    waiting === 0 ? words : `${plural(waiting, 'session')} not summarised yet.`;
  const failures = sessions.flatMap((session) =>
    (open.get(session.sessionId)?.failures ?? session.brief?.failures ?? []).map((text) => ({
      session,
      text,
    })),
  );
  const ids = new Set(sessions.map(({ sessionId }) => sessionId));
  // What a helper left is listed with the session that started it.
  const alone = sessions.filter(({ startedBy = '' }) => !ids.has(startedBy));
  const left = alone.flatMap((session) => {
    const files = open.get(session.sessionId)?.uncommitted ?? [];
    const parts = [
      session.brief?.plan ?? '',
      files.length === 0 ? '' : `${plural(files.length, 'file')} not committed`,
    ];
    const text = parts.filter((part) => part !== '').join('; ');
    return text === ''
      ? []
      : [{ session, text: `${oneLine(sessionName(session), openTitleChars)}: ${text}` }];
  });
  return (
    <>
      <OpenList
        title="Open failures"
        rows={failures}
        nowMs={nowMs}
        none={none(
          sessions.some(({ brief }) => (brief?.failures.length ?? 0) > 0)
            ? `What failed in ${lately} has passed since.`
            : `No check failed at the end of ${lately}.`,
        )}
        isBad
      />
      <OpenList
        title="Left open"
        rows={left}
        nowMs={nowMs}
        none={none(`Nothing was left open in ${lately}.`)}
      />
    </>
  );
}

interface OpenListProps {
  readonly title: string;
  readonly rows: readonly { readonly session: Session; readonly text: string }[];
  readonly nowMs: number;
  readonly none: string;
  readonly isBad?: boolean;
}

function OpenList({ title, rows, nowMs, none, isBad = false }: OpenListProps) {
  return (
    <section class={isBad && rows.length > 0 ? 'panel is-urgent' : 'panel'}>
      <h2>{title}</h2>
      {rows.length === 0 && <p class="quiet">{none}</p>}
      <ul class={isBad ? 'open-list is-bad' : 'open-list'}>
        {rows.map(({ session, text }) => (
          <li key={`${session.sessionId} ${text}`}>
            <a href={sessionLink(session.sessionId)}>
              <Inline text={oneLine(text, 220)} /> <From author={session.author} />{' '}
              <span class="quiet">{ago(session.lastTs, nowMs)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Pinned({ generation }: { generation: number }) {
  const pinned = useLoad(`${generation}`, (signal) => api.pinned(pinnedMax, signal)).value ?? [];
  return (
    <section class="panel">
      <h2>Pinned</h2>
      {pinned.length === 0 && (
        <p class="quiet">
          Nothing is pinned. <kbd>mem pin ID</kbd> keeps a memory in sight.
        </p>
      )}
      <ul class="open-list">
        {pinned.map((summary) => (
          <li key={summary.id}>
            <a href={writeRoute({ ...memories, open: summary.id })}>
              <What summary={summary} /> <Inline text={oneLine(ownWords(summary), 200)} />{' '}
              <span class="quiet">#{summary.id}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
