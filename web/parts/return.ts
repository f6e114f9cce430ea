import { useEffect } from 'preact/hooks';
import { readRoute } from '../route.ts';

/** What may be scrolled: on a narrow screen the document, else the room below the bar or the list. */
const scrollers = ['html', 'main', '.list-pane'] as const;
/** What scrolls an element. */
export function paneOf(element: Element | null): HTMLElement | null {
  const pane = element?.closest<HTMLElement>('.list-pane, main') ?? null;
  if (pane === null) return null;
  return getComputedStyle(pane).overflowY === 'auto' ? pane : document.documentElement;
}

/** Calls `look` once a frame while `pane` scrolls. Returns what ends that. */
export function watchScroll(pane: HTMLElement, look: () => void): () => void {
  let frame = 0;
  const later = (): void => {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      look();
    });
  };
  const target = pane === document.documentElement ? document : pane;
  target.addEventListener('scroll', later, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    target.removeEventListener('scroll', later);
  };
}

const storageKey = 'memd-places';
const placesMax = 100;
/** Lists come in parts: so long a place is looked for. */
const patienceMs = 3_000;

/** Where one was on an entry of the history. */
interface Place {
  readonly tops: readonly number[];
  /** A selector for the row that had the focus. */
  readonly focus: string | null;
}

const places = new Map<string, Place>(stored());
let entry = '';
let view = '';
let isBack = false;
let end = (): void => {};

/** Whether the reader came back to where they had been. */
export function isReturn(): boolean {
  return isBack;
}

/** Back, forward and reload show what was in sight and focus the row that was opened; any other view begins at its top. */
export function useReturn(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const leave = (): void => {
      places.delete(entry);
      places.set(entry, here());
      for (const old of [...places.keys()].slice(0, -placesMax)) places.delete(old);
    };
    const follow = (): void => {
      leave();
      arrive();
    };
    const store = (): void => {
      leave();
      sessionStorage.setItem(storageKey, JSON.stringify([...places]));
    };
    window.addEventListener('popstate', follow);
    window.addEventListener('pagehide', store);
    arrive();
    return () => {
      window.removeEventListener('popstate', follow);
      window.removeEventListener('pagehide', store);
    };
  }, []);
}

function stored(): [string, Place][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}

function here(): Place {
  const { row, seq } = document.activeElement instanceof HTMLElement ? document.activeElement.dataset : {};
  const focus = row !== undefined ? `[data-row="${CSS.escape(row)}"]` : null;
  return {
    tops: scrollers.map((one) => document.querySelector(one)?.scrollTop ?? 0),
    focus: seq === undefined ? focus : `[data-seq="${CSS.escape(seq)}"]`,
  };
}

function arrive(): void {
  end();
  const before = view;
  const shown = readRoute(location.hash);
  view = `${shown.view} ${shown.view === 'session' ? shown.session : shown.path}`;
  const known: unknown = history.state?.entry;
  const place = typeof known === 'string' ? places.get(known) : undefined;
  isBack = place !== undefined;
  entry = typeof known === 'string' ? known : crypto.randomUUID();
  history.replaceState({ entry }, '');
  if (place !== undefined) look(place);
  else if (before !== view) requestAnimationFrame(begin);
}

/** The top of a view, with the focus where the keys scroll. */
function begin(): void {
  scroll(scrollers.map(() => 0));
  if (document.activeElement !== document.body) return;
  const pane = document.querySelector<HTMLElement>('.list-pane') ?? document.getElementById('main');
  pane?.focus({ preventScroll: true });
}

/** Shows a place as soon as it is there, until the reader does something else. */
function look({ tops, focus }: Place): void {
  const again = (): void => {
    scroll(tops);
    const row = focus === null ? null : document.querySelector<HTMLElement>(focus);
    if (document.activeElement === document.body || document.activeElement?.id === 'main')
      row?.focus({ preventScroll: true });
  };
  const watcher = new MutationObserver(again);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patienceMs);
  end = () => stop.abort();
  stop.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    watcher.disconnect();
  });
  for (const act of ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const)
    window.addEventListener(act, end, { signal: stop.signal, passive: true });
  watcher.observe(document.body, { childList: true, subtree: true });
  requestAnimationFrame(() => {
    if (focus === null && document.activeElement === document.body) document.getElementById('main')?.focus();
    again();
  });
}

function scroll(tops: readonly number[]): void {
  for (const [at, one] of scrollers.entries()) document.querySelector(one)?.scrollTo(0, tops[at] ?? 0);
}
