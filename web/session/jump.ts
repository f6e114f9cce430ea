import { useEffect } from 'preact/hooks';
import { singleKeysOn } from '../keys.ts';

/** What each key looks for in the session, and in which direction. */
const targets: Readonly<Record<string, readonly [string, 1 | -1]>> = {
  j: ['.turn-head', 1],
  k: ['.turn-head', -1],
  n: ['[data-failed]', 1],
  N: ['[data-failed]', -1],
  c: ['[data-commit]', 1],
  C: ['[data-commit]', -1],
  '.': ['[data-change]', 1],
};

export const sessionKeys: readonly (readonly [string, string])[] = [
  ['j k', 'next and previous request'],
  ['n N', 'next and previous failure'],
  ['c C', 'next and previous commit'],
  ['.', 'next change'],
];

/** The keys of an open session. They come before those of the page. */
export function useJumps(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = targets[event.key];
      if (target === undefined || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return;
      event.preventDefault();
      jump(...target);
    };
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
}

/** To the next such element after where the reader is: the focus, else the top of what is seen. */
export function jump(selector: string, by: 1 | -1): void {
  const found = [...document.querySelectorAll<HTMLElement>(`.session-column ${selector}`)];
  const focus = document.activeElement;
  const from = focus !== null && focus.closest('.turn-part') !== null && isSeen(focus) ? focus : null;
  const isBehind = (one: HTMLElement): boolean =>
    from === null
      ? one.getBoundingClientRect().top > headPx
      : (from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isBefore = (one: HTMLElement): boolean => one !== from && !isBehind(one);
  const next = by === 1 ? found.find(isBehind) : found.findLast(isBefore);
  if (next !== undefined) show(next);
}

/** Brings an element into the middle, or the head of a turn to the top, with the focus on it. */
export function show(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: element.matches('.turn-head') ? 'start' : 'center' });
}

function isSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

const headPx = 60;
