import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Wanted, wantedOf } from '#reading/terms';
import { groupedBySession } from '../../src/core/rpc/by-session.ts';
import { api, withTimes } from '../api.ts';
import { hitsMax } from '../limits.ts';
import { hasFailed, useLoad, useNow } from '../parts/hooks.ts';
import { NearDays } from '../parts/near-days.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { go, home, type Route, sessionLink, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Hit, Session } from '../shapes.ts';
import { oneLine } from '../text/cut.ts';
import { fullTime, plural, shortDay, shortId } from '../text/words.ts';
import { filesNamed, kinds, Notes, sessionsNamed, titleCharsMax } from './hit-notes.tsx';
import { HitRow } from './rows.tsx';

/** Of a kind that is not among the best hits. */
const ofKindMax = 3;

/** What a search finds, best first. It is asked again when memories have come, so that it stays true. */
export function Hits({
  route,
  generation,
  sessions,
  onFirst,
}: {
  route: Route;
  generation: number;
  sessions: readonly Session[];
  /** Gets the best hit of the newest answer. */
  onFirst: (id: number | null) => void;
}) {
  const { query, kind, session, tool, since, until } = route;
  const question = JSON.stringify([query, kind, session, tool, since, until]);
  const found = useLoad(`${question} ${generation}`, (signal) => api.search(query, hitsMax, route, signal));
  const wanted = useMemo(() => wantedOf(query), [query]);
  const titles = useMemo(() => titlesOf(sessions), [sessions]);
  const files = useMemo(() => filesNamed(query, sessions), [query, sessions]);
  const named = useMemo(() => sessionsNamed(query, sessions), [query, sessions]);
  const nowMs = useNow();
  // Not that of another question.
  const bestId = found.key?.startsWith(question) === true ? (found.value?.hits[0]?.id ?? null) : null;
  useEffect(() => onFirst(bestId), [bestId, onFirst]);
  if (hasFailed(found, question)) {
    return <Failed what="The search" error={found.error} again={found.again} />;
  }
  if (found.value === null) return <Loading what="what was found" />;
  const { hits, topK } = found.value;
  const isBound = topK !== undefined && hits.length >= topK;
  const groups = isOfOne(hits) ? hits.map((hit): Group => [hit]) : groupedBySession(hits);
  return (
    <>
      <Notes
        answer={found.value}
        isBound={isBound}
        isLoading={found.isLoading}
        {...{ route, files, named, sessions }}
      />
      {hits.length === 0 ? (
        <Nothing route={route} sessions={sessions} />
      ) : (
        <ol class={found.isLoading ? 'rows is-loading' : 'rows'}>
          {groups.map((group, nth) => (
            <HitGroup
              key={group[0].id}
              isFirst={groups[nth - 1]?.[0].sessionId !== group[0].sessionId}
              title={titles.get(group[0].sessionId) ?? ''}
              best={hits[0]?.score ?? 0}
              {...{ group, question, route, wanted, nowMs }}
            />
          ))}
        </ol>
      )}
      {(isBound && route.kind === '' ? kindsWithout(hits) : []).map((one) => (
        <OfKind key={one} route={{ ...route, kind: one }} generation={generation} wanted={wanted} />
      ))}
    </>
  );
}

interface GroupProps {
  readonly group: Group;
  /** No group of its session is right above. */
  readonly isFirst: boolean;
  readonly title: string;
  readonly best: number;
  readonly question: string;
  readonly route: Route;
  readonly wanted: Wanted;
  readonly nowMs: number;
}

/** Hits of one session that follow each other. */
function HitGroup({ group, isFirst, title, best, question, route, wanted, nowMs }: GroupProps) {
  const [first] = group;
  const rest = group.slice(shownOfSession);
  const row = (hit: Hit) => <HitRow key={hit.id} {...{ hit, best, route, wanted, nowMs }} />;
  return (
    <li>
      {isFirst && first.sessionId !== '' && <GroupName hit={first} title={title} nowMs={nowMs} />}
      {group.slice(0, shownOfSession).map(row)}
      {rest.length > 0 && (
        <Others key={question} hits={rest} isOpen={rest.some(({ id }) => id === route.open)}>
          {rest.map(row)}
        </Others>
      )}
    </li>
  );
}

/** The session of the hits below it. */
function GroupName({ hit: { sessionId, ts }, title, nowMs }: { hit: Hit; title: string; nowMs: number }) {
  return (
    <p class="group-name">
      <a href={sessionLink(sessionId)} dir="auto" title="Open the session">
        <Inline text={oneLine(title || `Session ${shortId(sessionId)}`, titleCharsMax)} />
      </a>
      <time class="quiet" dateTime={ts} title={fullTime(ts)}>
        {shortDay(ts, nowMs)}
      </time>
    </p>
  );
}

function kindsWithout(hits: readonly Hit[]) {
  return kinds.filter((one) => hits.every((hit) => hit.kind !== one));
}

/** The best hits of a kind, below better ones of other kinds. */
function OfKind({ route, generation, wanted }: { route: Route; generation: number; wanted: Wanted }) {
  const { query, kind, session, tool, since, until } = route;
  const question = JSON.stringify([query, kind, session, tool, since, until]);
  const found = useLoad(`${question} ${generation}`, (signal) => api.search(query, ofKindMax, route, signal));
  const nowMs = useNow();
  const hits = found.value?.hits ?? [];
  const [first] = hits;
  if (first === undefined) return null;
  return (
    <section aria-label={`The best ${kind}s`}>
      <h3 class="list-title">
        The best {kind}s{' '}
        <a href={writeRoute({ ...route, open: null })} class="quiet">
          more {kind}s
        </a>
      </h3>
      <ol class="rows">
        {hits.map((hit) => (
          <li key={hit.id}>
            <HitRow
              hit={hit}
              best={first.score}
              route={{ ...route, kind: '' }}
              wanted={wanted}
              nowMs={nowMs}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Further hits of the session of the hits above, which are better. */
function Others({
  hits,
  isOpen,
  children,
}: {
  hits: readonly Hit[];
  isOpen: boolean;
  children: preact.ComponentChildren;
}) {
  const [shown, setShown] = useState(isOpen);
  return (
    <div class="others">
      <p class="others-line">
        <button type="button" class="plain" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {plural(hits.length, 'more hit')} in this session
        </button>
      </p>
      {shown && children}
    </div>
  );
}

/** What each session was about. */
function titlesOf(sessions: readonly Session[]): ReadonlyMap<string, string> {
  return new Map(sessions.map(({ sessionId, brief }) => [sessionId, brief?.title ?? '']));
}

type Group = readonly [Hit, ...Hit[]];

/** Hits of one session only need no heading. */
function isOfOne(hits: readonly Hit[]): boolean {
  return new Set(hits.map(({ sessionId }) => sessionId)).size === 1;
}

const shownOfSession = 2;

function Nothing({ route, sessions }: { route: Route; sessions: readonly Session[] }) {
  const isFiltered = [route.kind, route.session, route.tool, route.since].some((value) => value !== '');
  return (
    <Empty>
      {route.since !== '' && <NearDays sessions={sessions} {...withTimes(route)} route={route} />}
      {isFiltered && (
        <p>
          The search looks only at the chosen kind, tool, session or time.{' '}
          <button type="button" onClick={() => go({ kind: '', session: '', tool: '', since: '', until: '' })}>
            Look everywhere
          </button>
        </p>
      )}
      <p>
        A file's name, a command or the words of an error find most. What is captured but not yet summarised
        cannot be found: <a href={writeRoute({ ...home, view: 'health' })}>Health</a> says how much that is.
      </p>
    </Empty>
  );
}
