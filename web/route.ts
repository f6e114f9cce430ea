import { useEffect, useRef, useState } from 'preact/hooks';
import type { Filters, Status } from './shapes.ts';

/** The views of the bar, then those that a link opens. */
export const barViews = ['home', 'sessions', 'memories', 'health'] as const;
export const views = [...barViews, 'session', 'file', 'projects'] as const;
export type View = (typeof views)[number];

/** Where the reader is: all of it stands in the address's fragment, so that back, reload and a bookmark work. */
export interface Route extends Filters {
  readonly view: View;
  readonly query: string;
  /** The memory that is open. */
  readonly open: number | null;
  /** The event of a session that is shown first. */
  readonly at: number | null;
  /** The file of the view `file`, and of the list of sessions. */
  readonly path: string;
  /** What the list of sessions is narrowed by. */
  readonly find: string;
  readonly outcome: string;
  readonly client: string;
}

/** The texts of a route by their names in the address. */
const fields = ['kind', 'session', 'tool', 'since', 'until', 'path', 'find', 'outcome', 'client'] as const;
const texts = [['q', 'query'], ...fields.map((name) => [name, name] as const)] as const;

export const home: Route = {
  view: 'home',
  query: '',
  open: null,
  at: null,
  kind: '',
  session: '',
  tool: '',
  since: '',
  until: '',
  path: '',
  find: '',
  outcome: '',
  client: '',
};
/** What a view of memories shows of. */
export interface Asked {
  readonly route: Route;
  readonly status: Status | null;
  /** Grows when memories come: what replaced one may have changed, and where it ranks. */
  readonly generation: number;
}

export const memories: Route = { ...home, view: 'memories' };

export function sessionLink(session: string, at: number | null = null): string {
  return writeRoute({ ...home, view: 'session', session, at });
}

export function fileLink(path: string): string {
  return writeRoute({ ...home, view: 'file', path });
}

export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const given = new URLSearchParams(search);
  const whole = (name: string): number | null => {
    const value = Number(given.get(name) ?? '');
    return Number.isSafeInteger(value) && value > 0 ? value : null;
  };
  const said = texts.map(([name, field]) => [field, given.get(name) ?? '']);
  return {
    ...home,
    ...Object.fromEntries(said),
    view: views.find((view) => view === path) ?? 'home',
    open: whole('open'),
    at: whole('at'),
  };
}

export function writeRoute(route: Route): string {
  const said = new URLSearchParams();
  for (const [name, field] of texts) if (route[field] !== '') said.set(name, route[field]);
  if (route.at !== null) said.set('at', String(route.at));
  if (route.open !== null) said.set('open', String(route.open));
  const text = said.toString();
  return `#/${route.view}${text === '' ? '' : `?${text}`}`;
}

/** Goes there; `replace` leaves no step in the history. */
export function go(to: Partial<Route>, { replace = false } = {}): void {
  const hash = writeRoute({ ...readRoute(location.hash), ...to });
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(history.state, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  const read = useRef(location.hash);
  useEffect(() => {
    const follow = (): void => {
      if (location.hash === read.current) return;
      read.current = location.hash;
      setRoute(readRoute(location.hash));
    };
    window.addEventListener('hashchange', follow);
    // An effect runs after the first picture: the address may have changed since it was read.
    follow();
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return route;
}
