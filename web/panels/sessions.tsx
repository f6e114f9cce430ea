import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { withTimes } from '../api.ts';
import { typingPauseMs } from '../limits.ts';
import type { Watched } from '../live.ts';
import { useAllSessions } from '../parts/all-sessions.ts';
import { endingNames } from '../parts/ending.tsx';
import { useGeneration, useLateKey, useNow } from '../parts/hooks.ts';
import { LazyPage } from '../parts/lazy-page.tsx';
import { NearDays } from '../parts/near-days.tsx';
import { SessionRow } from '../parts/session-row.tsx';
import { endingNow, type Standings, useStandings } from '../parts/standings.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { go, home, type Route, writeRoute } from '../route.ts';
import type { Session } from '../shapes.ts';
import { visibleText } from '../text/visible.ts';
import { dayName, plural } from '../text/words.ts';
import { Select, Time } from './filters.tsx';

const rowsPerPart = 40;

/** All sessions day by day, by what they were about. */
export function Sessions({ route, watched }: { route: Route; watched: Watched }) {
  const { events = null, summaries = null } = watched.status?.counts ?? {};
  const key = useLateKey(useGeneration(events) + useGeneration(summaries));
  const all = useAllSessions(key, events, route.path);
  const nowMs = useNow();
  const { sessions } = all;
  const open = useStandings(sessions ?? []);
  const shown = useMemo(() => fitting(sessions ?? [], open, route), [sessions, open, route]);
  const clients = useMemo(
    () => [...new Set((sessions ?? []).map(({ client }) => client))].sort(),
    [sessions],
  );
  return (
    <section class="sessions page-column" aria-label="Sessions">
      <SessionFilters route={route} clients={clients} />
      {all.error !== null && <Failed what="The sessions" error={all.error} again={all.again} />}
      {sessions === null && all.error === null && <Loading what="the sessions" lines={10} />}
      {sessions !== null && shown.length === 0 && (
        <NoSession route={route} others={fitting(sessions, open, { ...route, since: '', until: '' })} />
      )}
      {shown.length > 0 && (
        <p class="quiet shown-count" role="status">
          {plural(shown.length, 'session')}
          {!all.isWhole && ', more to come'}
        </p>
      )}
      {parts(shown, nowMs).map(([name, rows], at) => (
        <LazyPage key={`${name} ${at}`} rows={rows.length}>
          <h2 class="day-name">{name}</h2>
          <ol class="session-rows">
            {rows.map((session) => (
              <SessionRow
                key={session.sessionId}
                session={session}
                ending={endingNow(session, open)}
                nowMs={nowMs}
                withClient={clients.length > 1}
              />
            ))}
          </ol>
        </LazyPage>
      ))}
    </section>
  );
}

function SessionFilters({ route, clients }: { route: Route; clients: readonly string[] }) {
  const set = (change: Partial<Route>): void => go(change, { replace: true });
  return (
    <search class="filters" aria-label="Filters">
      <TextFilter label="Words" value={route.find} set={(find) => set({ find })} />
      <TextFilter label="File" value={route.path} set={(path) => set({ path })} />
      <Select label="Outcome" value={route.outcome} choose={(outcome) => set({ outcome })}>
        <option value="">any outcome</option>
        {Object.entries(endingNames).map(([ending, name]) => (
          <option key={ending} value={ending}>
            {name}
          </option>
        ))}
      </Select>
      {clients.length > 1 && (
        <Select label="Assistant" value={route.client} choose={(client) => set({ client })}>
          <option value="">all assistants</option>
          {clients.map((client) => (
            <option key={client} value={client}>
              {visibleText(client)}
            </option>
          ))}
        </Select>
      )}
      <Time route={route} set={set} />
      {isFiltered(route) && (
        <button type="button" class="plain" onClick={() => go({ ...home, view: 'sessions' })}>
          Clear
        </button>
      )}
    </search>
  );
}

/** A field whose text is taken when one has stopped typing. */
function TextFilter({ label, value, set }: { label: string; value: string; set: (value: string) => void }) {
  const [text, setText] = useState(value);
  const timer = useRef(0);
  useEffect(() => setText(value), [value]);
  return (
    <input
      type="search"
      class={value === '' ? 'text-filter' : 'text-filter set'}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={400}
      spellcheck={false}
      onInput={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        clearTimeout(timer.current);
        timer.current = window.setTimeout(() => set(next.trim()), typingPauseMs);
      }}
    />
  );
}

function isFiltered({ find, path, outcome, client, since }: Route): boolean {
  return [find, path, outcome, client, since].some((value) => value !== '');
}

function fitting(sessions: readonly Session[], open: Standings, route: Route): Session[] {
  const { find, outcome, client } = route;
  const { since, until } = withTimes(route);
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    const text = `${session.digest ?? ''} ${session.sessionId} ${session.client}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (client === '' || session.client === client) &&
      (outcome === '' || endingNow(session, open) === outcome) &&
      (since === '' || session.lastTs >= since) &&
      (until === '' || session.lastTs < until)
    );
  });
}

/** Days in parts that are short enough to be left out of the document while they are far away. */
function parts(sessions: readonly Session[], nowMs: number): [string, Session[]][] {
  const found: [string, Session[]][] = [];
  for (const session of sessions) {
    const name = dayName(session.lastTs, nowMs);
    const last = found.at(-1);
    if (last !== undefined && last[0] === name && last[1].length < rowsPerPart) last[1].push(session);
    else found.push([name, [session]]);
  }
  return found;
}

/** `others`: those that fit at another time. */
function NoSession({ route, others }: { route: Route; others: readonly Session[] }) {
  const words = route.find;
  if (isFiltered(route)) {
    return (
      <Empty title="No session fits these filters.">
        {route.since !== '' && <NearDays sessions={others} {...withTimes(route)} route={route} />}
        <p>
          <button type="button" onClick={() => go({ ...home, view: 'sessions' })}>
            Show all
          </button>
        </p>
        {words !== '' && (
          <p>
            The words are looked for in the sessions’ summaries.{' '}
            <a href={writeRoute({ ...home, view: 'memories', query: words })}>Search all memories for them</a>
          </p>
        )}
      </Empty>
    );
  }
  return (
    <Empty title="No session yet.">
      <p>
        The first tool call of an assistant with the hook begins one: <kbd>memd install claude-code</kbd> sets
        it. <kbd>memd backfill</kbd> takes in earlier sessions.
      </p>
    </Empty>
  );
}
