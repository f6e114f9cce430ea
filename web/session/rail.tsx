import { useEffect, useRef, useState } from 'preact/hooks';
import { paneOf, watchScroll } from '../parts/return.ts';
import { checkEnd, isChange, type Turn } from './model.ts';

/** The kinds of marks, the most important last: it is drawn over the others. */
const kinds = ['turn', 'change', 'good', 'commit', 'bad'] as const;
type Kind = (typeof kinds)[number];

interface Mark {
  /** From the top, 0 to 1. */
  readonly at: number;
  readonly kind: Kind;
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowDown: 0.1,
  ArrowUp: -0.1,
  PageDown: 0.9,
  PageUp: -0.9,
};

/** The shape of the session from top to bottom, in the proportions in which it scrolls; it scrolls it too. */
export function Rail({ turns }: { turns: readonly Turn[] }) {
  const bar = useRef<HTMLDivElement>(null);
  const { marks, view } = useShape(turns, bar);
  const scrollTo = (event: PointerEvent): void => {
    const pane = paneOf(bar.current);
    const box = bar.current?.getBoundingClientRect();
    if (pane === null || box === undefined) return;
    const share = (event.clientY - box.top) / Math.max(1, box.height);
    pane.scrollTop = share * pane.scrollHeight - pane.clientHeight / 2;
  };
  const press = (event: KeyboardEvent): void => {
    const pane = paneOf(bar.current);
    const step = keySteps[event.key];
    if (pane === null || step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    pane.scrollTop += step * pane.clientHeight;
  };
  return (
    <div
      ref={bar}
      class="rail"
      role="scrollbar"
      tabIndex={0}
      aria-label="Shape of the session"
      aria-controls="main"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((view.from / Math.max(0.0001, 1 - view.share)) * 100) || 0}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
        scrollTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scrollTo(event);
      }}
    >
      {marks.map(({ at, kind }) => (
        <span key={`${kind}${at}`} class={`mark-${kind}`} style={{ top: `${at * 100}%` }} />
      ))}
      <span class="thumb" style={{ top: `${view.from * 100}%`, height: `${view.share * 100}%` }} />
    </div>
  );
}

/** The marks, and the part of the session that is in view; follows its pane. */
function useShape(turns: readonly Turn[], bar: { readonly current: HTMLElement | null }) {
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [view, setView] = useState({ from: 0, share: 1 });
  useEffect(() => {
    const pane = paneOf(bar.current);
    const column = document.querySelector('.session-column');
    if (pane === null || column === null) return;
    const look = (): void => {
      const high = Math.max(1, pane.scrollHeight);
      setView({ from: pane.scrollTop / high, share: Math.min(1, pane.clientHeight / high) });
    };
    const measure = (): void => {
      setMarks(marksOf(turns, pane));
      look();
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(column);
    measure();
    const unwatch = watchScroll(pane, look);
    return () => {
      watcher.disconnect();
      unwatch();
    };
  }, [turns, bar]);
  return { marks, view };
}

/** As many places as the rail has lines; of what falls on one, the most important of each column is kept. */
const places = 400;

function marksOf(turns: readonly Turn[], pane: HTMLElement): Mark[] {
  const isDocument = pane === document.documentElement;
  const top = (isDocument ? 0 : pane.getBoundingClientRect().top) - pane.scrollTop;
  const high = Math.max(1, pane.scrollHeight);
  const kept = new Map<string, Mark>();
  const add = (px: number, kind: Kind): void => {
    const at = Math.round((px / high) * places) / places;
    kept.set(`${kind}${at}`, { at, kind });
  };
  const parts = document.querySelectorAll<HTMLElement>('.session-column .turn-part');
  for (const [at, turn] of turns.entries()) {
    const box = parts[at]?.getBoundingClientRect();
    if (box === undefined) break;
    const from = box.top - top;
    add(from, 'turn');
    for (const [row, step] of turn.steps.entries()) {
      const px = from + (box.height * (row + 1)) / (turn.steps.length + 1);
      if (step.isFailure) add(px, 'bad');
      else if (step.commit !== undefined) add(px, 'commit');
      else if (checkEnd(step) === 'passed') add(px, 'good');
      else if (isChange(step)) add(px, 'change');
    }
  }
  return [...kept.values()].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}
