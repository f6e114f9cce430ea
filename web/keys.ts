import { useEffect, useRef } from 'preact/hooks';
import { followPauseMs } from './limits.ts';
import { barViews, go, home, type Route, readRoute } from './route.ts';

const key = 'memd.keys';

/** Single keys can be turned off (WCAG 2.1.4): they get in the way of speech input. */
export function singleKeysOn(): boolean {
  return localStorage.getItem(key) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off');
}

/** The keys of the whole page. Arrows, Enter and Escape always work; letters only outside of fields. */
export function useKeys(openHelp: () => void): void {
  const newest = useRef(openHelp);
  newest.current = openHelp;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]') !== null) return;
      // From the address, which is ahead of what has been drawn when keys come fast.
      const context = { route: readRoute(location.hash), openHelp: newest.current };
      if (handled(event, context)) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

interface Context {
  readonly route: Route;
  readonly openHelp: () => void;
}

function handled(event: KeyboardEvent, context: Context): boolean {
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (event.key === 'Escape') return escaped(target, context.route);
  const isField = target.matches('input, textarea, select');
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    // Within a memory the arrows scroll; `j` and `k` go on in the list from there too.
    if (target.matches('select, textarea') || target.closest('.memory') !== null) return false;
    if (isField && target.id !== 'query') return false;
    return step(event.key === 'ArrowDown' ? 1 : -1, context.route);
  }
  if (event.key === 'Enter' && target.id === 'query') return step(1, context.route);
  if (isField || !singleKeysOn()) return false;
  return letter(event.key, context);
}

function letter(pressed: string, { route, openHelp }: Context): boolean {
  switch (pressed) {
    case '/':
      focusQuery();
      return true;
    case '?':
      openHelp();
      return true;
    case 'j':
      return step(1, route);
    case 'k':
      return step(-1, route);
    default: {
      const view = barViews[Number(pressed) - 1];
      if (view !== undefined) go({ ...home, view });
      return view !== undefined;
    }
  }
}

function focusQuery(): void {
  const field = document.getElementById('query');
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  }
}

/** Out of what is innermost: the field, then the open memory, the search, the session. */
function escaped(target: HTMLElement, route: Route): boolean {
  if (target.id === 'query' && route.query !== '') {
    go({ query: '', open: null }, { replace: true });
    return true;
  }
  if (target.matches('input, select')) {
    target.blur();
    return true;
  }
  if (route.open !== null) {
    const was = route.open;
    go({ open: null });
    requestAnimationFrame(() => rowOf(was)?.focus());
    return true;
  }
  if (route.query !== '') {
    go({ query: '' });
    return true;
  }
  if (route.view !== 'session') return false;
  go({ ...home, view: 'sessions' });
  return true;
}

let following = 0;
let followed: number | null = null;

/** Whether this memory was opened by moving past it in the list, where the focus then stays. */
export function wasFollowed(id: number): boolean {
  return followed === id;
}

/** To the next row of the list; an open memory follows. */
function step(by: 1 | -1, route: Route): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter(
    (row) => row.offsetParent !== null,
  );
  if (rows.length === 0) return false;
  const at = rows.findIndex((row) => row.matches(':focus'));
  const from = at >= 0 ? at : rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const next = rows[from < 0 ? 0 : from + by];
  if (next === undefined) {
    if (from + by < 0) focusQuery();
    return true;
  }
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  const id = Number(next.dataset.row);
  if (route.open !== null && Number.isSafeInteger(id)) {
    clearTimeout(following);
    following = window.setTimeout(() => {
      followed = id;
      go({ open: id }, { replace: true });
    }, followPauseMs);
  }
  return true;
}

export function rowOf(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${id}"]`);
}
