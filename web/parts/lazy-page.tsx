import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

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
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen === undefined) return;
        const mayGo = !seen.isIntersecting && !element.contains(document.activeElement);
        setHeight(mayGo ? element.offsetHeight : null);
      },
      { rootMargin: '1500px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <div ref={place} style={height === null ? {} : { height: `${height}px` }} data-rows={rows}>
      {height === null && children}
    </div>
  );
}
