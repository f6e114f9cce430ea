import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Watched } from '../live.ts';
import { useGeneration } from '../parts/hooks.ts';
import { isReturn, paneOf } from '../parts/return.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { home, type Route, writeRoute } from '../route.ts';
import { visibleText } from '../text/visible.ts';
import { dayName, plural } from '../text/words.ts';
import { SessionHead } from './head.tsx';
import { show, useJumps } from './jump.ts';
import { fixesOf, numberOf, type Turn, turnsOf } from './model.ts';
import { Outline } from './outline.tsx';
import { Rail } from './rail.tsx';
import { TurnView } from './turn.tsx';
import { useSteps } from './use-steps.ts';

/** So many turns fill the screen below the header. */
const turnsFirst = 2;

/** What was opened in each session, for who comes back to it. */
const openBefore = new Map<string, ReadonlySet<number>>();

/** One session from its first request to its last reply, in one column. */
export function SessionView({ route, watched }: { route: Route; watched: Watched }) {
  const { session: id, at } = route;
  const { events = null, summaries = null } = watched.status?.counts ?? {};
  const held = useSteps(id, useGeneration(events) + useGeneration(summaries));
  const fixes = useMemo(() => fixesOf(held.account), [held.account]);
  const turns = useMemo(() => turnsOf(held.steps, fixes), [held.steps, fixes]);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set(isReturn() ? openBefore.get(id) : []));
  openBefore.set(id, open);
  const toggle = useCallback((seq: number): void => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  }, []);
  useJumps();
  const drawn = useDrawn(turns.length, held.isWhole);
  const isDrawn = held.isWhole && drawn >= turns.length;
  useFollow(isDrawn ? held.steps.length : 0);
  const goTo = useGoTo(isDrawn);
  useArrival(id, at, isDrawn, goTo, (seq) => setOpen((before) => new Set(before).add(seq)));
  const { session, account, reply, now, error, steps } = held;
  if (session === null && error !== null) {
    return <Failed what={`Session ${visibleText(id)}`} error={error} again={held.again} />;
  }
  if (session === null) return <Loading what="the session" lines={14} />;
  if (steps.length === 0) return <None />;
  return (
    <article class="session-view" aria-label="Session">
      <Outline turns={turns} requests={account?.requests ?? []} goTo={goTo} />
      <div class="session-column">
        <SessionHead
          {...{ session, account, reply, now, goTo }}
          withClient={watched.status?.recorded?.length !== 1}
        />
        {error !== null && <Failed what="The rest of the session" error={error} again={held.again} />}
        {turns.slice(0, drawn).map((turn, at) => (
          <TurnView
            key={turn.key}
            {...{ turn, fixes, toggle, goTo }}
            number={numberOf(turns, at)}
            day={newDay(turns, at)}
            sessionId={id}
            opened={openIn(turn.steps, open)}
            isOpen={(seq) => open.has(seq)}
          />
        ))}
        {!isDrawn && error === null && (
          <p class="quiet" role="status">
            Reading {plural(session.events, 'event')}…
          </p>
        )}
      </div>
      <Rail turns={turns} />
    </article>
  );
}

/** The day of a turn that begins on another one than the turn before; of the first it stands in the header. */
function newDay(turns: readonly Turn[], at: number): string {
  const tsOf = (turn: Turn | undefined): string => turn?.prompt?.ts ?? turn?.steps[0]?.ts ?? '';
  const day = dayName(tsOf(turns[at]), Date.now());
  return at > 0 && day !== dayName(tsOf(turns[at - 1]), Date.now()) ? day : '';
}

function openIn(steps: readonly { readonly seq: number }[], open: ReadonlySet<number>): string {
  return open.size === 0
    ? ''
    : steps
        .filter(({ seq }) => open.has(seq))
        .map(({ seq }) => seq)
        .join(' ');
}

/** Shows a step or a request, once it is drawn. */
function useGoTo(isDrawn: boolean): (seq: number) => void {
  const wanted = useRef<number | null>(null);
  const goTo = useCallback((seq: number): void => {
    const column = '.session-column';
    const row = document.querySelector<HTMLElement>(
      `${column} :is([data-seq="${seq}"], [data-reply="${seq}"]), ${column} [data-turn="${seq}"] .turn-head`,
    );
    wanted.current = row === null ? seq : null;
    if (row !== null) show(row);
  }, []);
  useEffect(() => {
    if (isDrawn && wanted.current !== null) goTo(wanted.current);
    wanted.current = null;
  }, [isDrawn]);
  return goTo;
}

/** How many turns are drawn: what is in sight once all is read, then twice as many with every frame; what comes later at once. */
function useDrawn(turns: number, isWhole: boolean): number {
  const [drawn, setDrawn] = useState(turnsFirst);
  useEffect(() => {
    if (!isWhole) setDrawn(turnsFirst);
    else if (drawn < Number.POSITIVE_INFINITY) {
      const next = drawn * 2 < turns ? drawn * 2 : Number.POSITIVE_INFINITY;
      const frame = requestAnimationFrame(() => setDrawn(next));
      return () => cancelAnimationFrame(frame);
    }
    return undefined;
  }, [turns, isWhole, drawn]);
  return drawn;
}

/** Opens and shows the step that the address names, once it has come. */
function useArrival(
  id: string,
  at: number | null,
  isDrawn: boolean,
  goTo: (seq: number) => void,
  open: (seq: number) => void,
): void {
  useEffect(() => {
    if (at === null || !isDrawn) return;
    open(at);
    if (!isReturn()) requestAnimationFrame(() => goTo(at));
  }, [id, at, isDrawn]);
}

/** Who reads the end of a session that goes on sees what comes. */
function useFollow(steps: number): void {
  const end = useRef({ height: 0, isSeen: false });
  useLayoutEffect(() => {
    const column = document.querySelector<HTMLElement>('.session-column');
    const pane = paneOf(column);
    if (column === null || pane === null) return;
    const grown = pane.scrollHeight - end.current.height;
    if (end.current.isSeen && grown > 0) pane.scrollTop += grown;
    const note = (): void => {
      const blank = Number.parseFloat(getComputedStyle(column).paddingBottom);
      const isSeen =
        pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - blank - 1;
      end.current = { height: pane.scrollHeight, isSeen };
    };
    note();
    const target = pane === document.documentElement ? document : pane;
    target.addEventListener('scroll', note, { passive: true });
    return () => target.removeEventListener('scroll', note);
  }, [steps]);
}

function None() {
  return (
    <Empty title="This session has no events.">
      <p>
        It may have been forgotten. <a href={writeRoute({ ...home, view: 'sessions' })}>All sessions</a>
      </p>
    </Empty>
  );
}
