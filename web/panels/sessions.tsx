import { useEffect, useState } from 'preact/hooks';
import { api, type Page } from '../api.ts';
import { sessionsPage } from '../limits.ts';
import type { Watched } from '../live.ts';
import { Digest } from '../parts/digest.tsx';
import { useGeneration, useLateKey, useLoad, useNow } from '../parts/hooks.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { home, writeRoute } from '../route.ts';
import type { Session } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { clock, dayName, fullTime, plural, shortId, span, startOfDay } from '../text/words.ts';

const dayMs = 86_400_000;

/** The sessions day by day, each where it stood in its day. */
export function Sessions({ watched }: { watched: Watched }) {
  const { events = null, summaries = null } = watched.status?.counts ?? {};
  const key = useLateKey(useGeneration(events) + useGeneration(summaries));
  const first = useLoad(key, (signal) => api.sessions(sessionsPage, null, signal));
  const [older, setOlder] = useState<readonly Page<Session>[]>([]);
  const last = older.at(-1) ?? first.value;
  const nowMs = useNow();
  if (first.error !== null && first.value === null) {
    return <Failed what="The sessions" error={first.error} again={first.again} />;
  }
  if (first.value === null) return <Loading what="the sessions" lines={10} />;
  const newest = first.value;
  const sessions = unique([newest, ...older].flatMap(({ rows }) => rows));
  // With the first page as it was then: what new sessions push off its end stays in the list.
  const add = (page: Page<Session>): void =>
    setOlder((before) => [...(before.length === 0 ? [newest] : before), page]);
  if (sessions.length === 0) {
    return (
      <Empty title="No session yet.">
        <p>
          The first tool call of an assistant with the hook begins one: <kbd>memd install claude-code</kbd>{' '}
          sets it.
        </p>
      </Empty>
    );
  }
  return (
    <section class="sessions" aria-label="Sessions">
      {days(sessions, nowMs).map(([name, ofDay]) => (
        <section key={name} class="session-day" aria-label={name}>
          <div class="session-axis">
            <h2>{name}</h2>
            <span class="hours" aria-hidden="true">
              {[0, 6, 12, 18].map((hour) => (
                <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
                  {String(hour).padStart(2, '0')}
                </span>
              ))}
            </span>
          </div>
          <ol>
            {ofDay.map((session) => (
              <Row key={session.sessionId} session={session} nowMs={nowMs} />
            ))}
          </ol>
        </section>
      ))}
      <More next={last?.next ?? null} add={add} />
    </section>
  );
}

function Row({ session, nowMs }: { session: Session; nowMs: number }) {
  const { sessionId, client, firstTs, lastTs, events, messages, errors, digest } = session;
  const lastedMs = Math.max(0, Date.parse(lastTs) - Date.parse(firstTs));
  const isRunning = nowMs - Date.parse(lastTs) < 10 * 60_000;
  return (
    <li>
      <a class="session" data-row={sessionId} href={writeRoute({ ...home, session: sessionId })}>
        <span class="session-when">
          <time dateTime={firstTs} title={fullTime(firstTs)}>
            {clock(firstTs)}
          </time>
          –
          <time dateTime={lastTs} title={fullTime(lastTs)}>
            {clock(lastTs)}
          </time>
          <span class="quiet">{span(lastedMs)}</span>
        </span>
        <span class="session-text">
          <Digest digest={digest} class="one-line" />
        </span>
        <span class="session-meta">
          <span>{plural(events - messages, 'call')}</span>
          {messages > 0 && <span>{plural(messages, 'message')}</span>}
          {errors > 0 && <span class="flag failed">{errors} failed</span>}
          {isRunning && <span class="flag running">running</span>}
          <span>{visibleText(client)}</span>
          <code>{visibleText(shortId(sessionId)) || 'no session'}</code>
        </span>
        <Strip session={session} />
      </a>
    </li>
  );
}

/** The session on the line of its day, from midnight to midnight; one that began earlier begins at the edge. */
function Strip({ session }: { session: Session }) {
  const midnight = startOfDay(Date.parse(session.lastTs));
  const part = (ms: number): number => Math.min(1, Math.max(0, (ms - midnight) / dayMs));
  const from = part(Date.parse(session.firstTs));
  const to = part(Date.parse(session.lastTs));
  const began = Date.parse(session.firstTs) < midnight;
  const failedShare = session.events === 0 ? 0 : session.errors / session.events;
  return (
    <span class="strip" aria-hidden="true">
      <span
        class={began ? 'strip-bar from-before' : 'strip-bar'}
        style={{ left: `${from * 100}%`, width: `max(3px, ${(to - from) * 100}%)` }}
      >
        <span class="strip-failed" style={{ width: `${failedShare * 100}%` }} />
      </span>
    </span>
  );
}

function More({ next, add }: { next: string | null; add: (page: Page<Session>) => void }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const page = useLoad(wanted, (signal) => api.sessions(sessionsPage, wanted, signal));
  // A page is added once, when it has come.
  useEffect(() => {
    if (page.value !== null && wanted === next) add(page.value);
  }, [page.value]);
  if (next === null) return null;
  return (
    <div class="end">
      {page.error === null ? (
        <button type="button" onClick={() => setWanted(next)}>
          Show older
        </button>
      ) : (
        <Failed what="Older sessions" error={page.error} again={page.again} />
      )}
    </div>
  );
}

function days(sessions: readonly Session[], nowMs: number): [string, Session[]][] {
  const grouped = new Map<string, Session[]>();
  for (const session of sessions) {
    const name = dayName(session.lastTs, nowMs);
    grouped.set(name, [...(grouped.get(name) ?? []), session]);
  }
  return [...grouped];
}

/** Each session once, as the first of the pages has it: that one was asked for last. */
function unique(sessions: readonly Session[]): Session[] {
  const byId = new Map<string, Session>();
  for (const session of sessions) if (!byId.has(session.sessionId)) byId.set(session.sessionId, session);
  return [...byId.values()];
}
