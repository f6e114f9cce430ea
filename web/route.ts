import { useEffect, useState } from 'preact/hooks';
import type { Filters } from './shapes.ts';

export const views = ['memories', 'sessions', 'health'] as const;
export type View = (typeof views)[number];

/** Where the reader is: all of it stands in the address's fragment, so that back, reload and a bookmark work. */
export interface Route extends Filters {
  readonly view: View;
  readonly query: string;
  /** The memory that is open. */
  readonly open: number | null;
}

export const home: Route = {
  view: 'memories',
  query: '',
  open: null,
  kind: '',
  session: '',
  tool: '',
  since: '',
  until: '',
};

export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const given = new URLSearchParams(search);
  const text = (name: string): string => given.get(name) ?? '';
  const open = Number(text('open'));
  return {
    view: views.find((view) => view === path) ?? 'memories',
    query: text('q'),
    open: Number.isSafeInteger(open) && open > 0 ? open : null,
    kind: text('kind'),
    session: text('session'),
    tool: text('tool'),
    since: text('since'),
    until: text('until'),
  };
}

export function writeRoute(route: Route): string {
  const { view, query, open, kind, session, tool, since, until } = route;
  const said = new URLSearchParams();
  const all = { q: query, kind, session, tool, since, until, open: open === null ? '' : String(open) };
  for (const [name, value] of Object.entries(all)) if (value !== '') said.set(name, value);
  const text = said.toString();
  return `#/${view}${text === '' ? '' : `?${text}`}`;
}

/** Goes there; `replace` leaves no step in the history. */
export function go(to: Partial<Route>, { replace = false } = {}): void {
  const hash = writeRoute({ ...readRoute(location.hash), ...to });
  if (hash === location.hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(readRoute(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return route;
}
