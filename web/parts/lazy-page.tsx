import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { paneOf } from './return.ts';

/**
 * A page of a long list that is only there near the screen; elsewhere an empty place of its height stands for it, so that
 * the list may be as long as the memory. The page that holds the focus stays.
 */
export function LazyPage({ children, rows }: { children: ComponentChildren; rows: number }) {
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    return watchNear(element, 1500, (isNear) => {
      const mayGo = !isNear && !element.contains(document.activeElement);
      setHeight(mayGo ? element.offsetHeight : null);
    });
  }, []);
  return (
    <div ref={place} style={height === null ? {} : { height: `${height}px` }} data-rows={rows}>
      {height === null && children}
    </div>
  );
}

/** Says whether an element is in sight or at most `margin` pixels from it, at first and whenever that changes; the result ends it. */
export function watchNear(element: Element, margin: number, seen: (isNear: boolean) => void): () => void {
  const pane = paneOf(element);
  // Only the margin of what scrolls counts; of the document it is the window's.
  const root = pane === document.documentElement ? null : pane;
  const watcher = new IntersectionObserver((entries) => seen(entries.at(-1)?.isIntersecting === true), {
    root,
    rootMargin: `${margin}px`,
  });
  watcher.observe(element);
  return () => watcher.disconnect();
}
