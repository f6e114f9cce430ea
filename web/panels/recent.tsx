import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api, type Page, withTimes } from '../api.ts';
import { rowOf } from '../keys.ts';
import { summariesPage } from '../limits.ts';
import { useLoad, useNow } from '../parts/hooks.ts';
import { LazyPage, watchNear } from '../parts/lazy-page.tsx';
import { NearDays } from '../parts/near-days.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { type Asked, go, type Route } from '../route.ts';
import type { Session, Status, Summary } from '../shapes.ts';
import { dayName, plural } from '../text/words.ts';
import { RecentRow } from './rows.tsx';

interface RecentProps extends Asked, Pick<NoneProps, 'sessions'> {
  /** The memory that is open, or shown without having been asked for. */
  readonly shown: number | null;
  /** Gets the first of the list. */
  readonly onFirst: (id: number | null) => void;
}

/** Newest first, without an end: pages by cursor, and what comes while one looks. */
export function Recent({ route, generation, status, sessions, shown: open, onFirst }: RecentProps) {
  const filter = filterOf(route);
  const [from, setFrom] = useStart(route);
  const first = useLoad(from === undefined ? null : `${filter} ${from} ${generation}`, (signal) =>
    api.summaries(route, summariesPage, from ?? null, signal),
  );
  const shown = usePages(`${filter} ${from}`, first.value, first.key);
  const newest = shown.pages[0]?.rows[0]?.id ?? null;
  // What comes later leaves it: one reads it already.
  useEffect(() => onFirst(newest), [filter, newest === null]);
  if (first.error !== null && shown.pages.length === 0) {
    return <Failed what="The memories" error={first.error} again={first.again} />;
  }
  if (shown.pages.length === 0) return <Loading what="the memories" lines={12} />;
  if (shown.pages.every((page) => page.rows.length === 0))
    return <NoneYet {...{ route, status, sessions }} />;
  return (
    <>
      {typeof from === 'string' && (
        <p class="others-line newer">
          <button type="button" class="plain" onClick={() => setFrom(null)}>
            ↑ Newer memories
          </button>
        </p>
      )}
      <Pages route={{ ...route, open }} shown={shown} />
    </>
  );
}

/**
 * Where the list begins: at the newest, or at the memory that a link opens, which may be far from there. Undefined while that is not
 * known.
 */
function useStart(route: Route): [string | null | undefined, (from: null) => void] {
  const { open } = route;
  const [start, setStart] = useState<string | null | undefined>(open === null ? null : undefined);
  useEffect(() => {
    if (open === null || start !== undefined) return;
    const stop = new AbortController();
    startAt(route, open, stop.signal).then(setStart, () => stop.signal.aborted || setStart(null));
    return () => stop.abort();
  }, []);
  const opened = useRef(open);
  useEffect(() => {
    if (opened.current === open) return;
    opened.current = open;
    // A memory that another one leads to may be far from what is listed.
    if (open === null || rowOf(open) !== null) return;
    const stop = new AbortController();
    startAt(route, open, stop.signal).then(
      (found) => stop.signal.aborted || setStart(found),
      () => undefined,
    );
    return () => stop.abort();
  }, [open]);
  const filter = filterOf(route);
  const before = useRef(filter);
  useEffect(() => {
    if (before.current !== filter) setStart(null);
    before.current = filter;
  }, [filter]);
  return [start, setStart];
}

/** The cursor of a list that begins with a memory; null when the newest ones are such a list. */
async function startAt(route: Route, open: number, signal: AbortSignal): Promise<string | null> {
  const { rows } = await api.summaries(route, summariesPage, null, signal);
  if (rows.some(({ id }) => id === open)) return null;
  const { ts, id, kind } = await api.memory(open, signal);
  return kind === 'session' ? null : `${ts}~${id + 1}`;
}

function filterOf({ kind, session, tool, since, until }: Route): string {
  return JSON.stringify([kind, session, tool, since, until]);
}

interface Shown {
  readonly pages: readonly Page<Summary>[];
  /** How many newer ones wait above, so that what one reads does not jump. */
  readonly waiting: number;
  readonly newest: ReadonlySet<number>;
  readonly showNewest: () => void;
  readonly add: (page: Page<Summary>) => void;
}

interface Held extends Pick<Shown, 'pages'> {
  readonly filter: string;
  readonly seen: ReadonlySet<number>;
}

function usePages(filter: string, first: Page<Summary> | null, key: string | null): Shown {
  const [held, setHeld] = useState<Held>({ filter, pages: [], seen: new Set() });
  const isOurs = first !== null && key?.startsWith(filter) === true;
  const known = new Set(held.pages.flatMap((page) => page.rows.map(({ id }) => id)));
  const fresh = isOurs && held.filter === filter ? first.rows.filter(({ id }) => !known.has(id)) : [];
  const isReading = held.pages.length > 1 || isScrolled();
  const take = useCallback((): void => {
    if (first !== null) setHeld((before) => ({ filter, pages: [first], seen: idsOf(before.pages) }));
  }, [filter, first]);
  // Only a new first page can change what is held.
  useEffect(() => {
    if (!isOurs) return;
    if (held.filter !== filter || held.pages.length === 0) {
      setHeld({ filter, pages: [first], seen: idsOf([first]) });
    } else if (!isReading) {
      take();
    }
  }, [first, isOurs]);
  const isCurrent = held.filter === filter;
  return {
    pages: isCurrent ? held.pages : [],
    waiting: isReading ? fresh.length : 0,
    newest:
      isCurrent && held.seen.size > 0 ? new Set([...known].filter((id) => !held.seen.has(id))) : new Set(),
    showNewest: take,
    add: (page) =>
      setHeld((before) => ({
        ...before,
        pages: [...before.pages, page],
        seen: new Set([...before.seen, ...idsOf([page])]),
      })),
  };
}

function idsOf(pages: readonly Page<Summary>[]): Set<number> {
  return new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
}

function isScrolled(): boolean {
  const pane = document.querySelector('.list-pane');
  return (
    (pane?.scrollTop ?? 0) > 80 || (window.scrollY > 200 && document.body.scrollHeight > innerHeight + 200)
  );
}

function Pages({ route, shown }: { route: Route; shown: Shown }) {
  const nowMs = useNow();
  const top = useRef<HTMLDivElement>(null);
  const show = (): void => {
    shown.showNewest();
    top.current?.scrollIntoView();
  };
  let day = '';
  return (
    <>
      <div ref={top} />
      <p class="waiting" role="status">
        {shown.waiting > 0 && (
          <button type="button" onClick={show}>
            ↑ {plural(shown.waiting, 'new memory', 'new memories')}
          </button>
        )}
      </p>
      <div class="rows-of-days">
        {shown.pages.map((page, at) => (
          <LazyPage key={page.rows[0]?.id ?? at} rows={page.rows.length}>
            {groups(page.rows, nowMs).map(([name, rows]) => {
              const isFirst = name !== day;
              day = name;
              return (
                <div key={name} class="day-group">
                  <h2 class={isFirst ? 'day-name' : 'unseen'}>{name}</h2>
                  <ol class="rows">
                    {rows.map((summary) => (
                      <li key={summary.id}>
                        <RecentRow summary={summary} route={route} isNew={shown.newest.has(summary.id)} />
                      </li>
                    ))}
                  </ol>
                </div>
              );
            })}
          </LazyPage>
        ))}
      </div>
      <More route={route} shown={shown} />
    </>
  );
}

function groups(rows: readonly Summary[], nowMs: number): [string, Summary[]][] {
  const days = new Map<string, Summary[]>();
  for (const row of rows) {
    const name = dayName(row.ts, nowMs);
    days.set(name, [...(days.get(name) ?? []), row]);
  }
  return [...days];
}

/** The next page when its place comes near; a button for who has no scroll, and when a page did not come. */
function More({ route, shown }: { route: Route; shown: Shown }) {
  const next = shown.pages.at(-1)?.next ?? null;
  const [wanted, setWanted] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const page = useLoad(wanted, (signal) => api.summaries(route, summariesPage, wanted, signal));
  useEffect(() => {
    if (page.value !== null && page.key === wanted && wanted === next) {
      shown.add(page.value);
      setWanted(null);
    }
  }, [page.value, page.key, wanted, next, shown]);
  useEffect(() => {
    if (place.current === null || next === null) return;
    return watchNear(place.current, 600, (isNear) => isNear && setWanted(next));
  }, [next]);
  if (next === null) return <p class="end">No older memories.</p>;
  return (
    <div ref={place} class="end">
      {page.error === null ? (
        <button type="button" onClick={() => setWanted(next)}>
          Show older
        </button>
      ) : (
        <Failed what="Older memories" error={page.error} again={page.again} />
      )}
    </div>
  );
}

interface NoneProps extends Pick<Asked, 'route' | 'status'> {
  readonly sessions: readonly Session[];
}

function NoneYet({ route, status, sessions }: NoneProps) {
  const isFiltered = route.kind !== '' || route.session !== '' || route.tool !== '' || route.since !== '';
  if (isFiltered) {
    return (
      <Empty title="No memory fits these filters.">
        {route.since !== '' && <NearDays sessions={sessions} {...withTimes(route)} route={route} />}
        <p>
          <button type="button" onClick={() => go({ kind: '', session: '', tool: '', since: '', until: '' })}>
            Show all
          </button>
        </p>
      </Empty>
    );
  }
  return <NothingYet status={status} />;
}

/** Nothing is stored, or nothing of it is summarised: what would change that. */
export function NothingYet({ status }: { status: Status | null }) {
  const raw = status?.counts.raw ?? 0;
  if (raw > 0) {
    return (
      <Empty title={`${plural(raw, 'event is', 'events are')} captured and not yet summarised.`}>
        <p>
          {status?.backends.drainError ?? 'The daemon summarises in the background.'}{' '}
          {status?.backends.drainHint ?? ''}
        </p>
        <p>
          <kbd>memd drain</kbd> does it now and says what is in the way.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is remembered yet.">
      <p>
        Let your assistant work in this project: every tool call and every message becomes a memory.{' '}
        <kbd>memd install claude-code</kbd> sets its hook; <kbd>memd backfill</kbd> imports earlier sessions.
      </p>
    </Empty>
  );
}
