import { useEffect, useRef, useState } from 'preact/hooks';
import type { Watched } from '../live.ts';
import { captureRate } from '../parts/rate.ts';
import { Spark } from '../parts/spark.tsx';
import type { Counts as Figures } from '../shapes.ts';
import { count } from '../text/words.ts';

const cells: readonly { readonly key: keyof Figures; readonly title: string }[] = [
  { key: 'events', title: 'Tool calls and messages captured' },
  { key: 'raw', title: 'Captured, not yet summarised' },
  { key: 'summarized', title: 'Captured and summarised' },
  { key: 'skipped', title: 'Given up on; their reasons are in the log' },
  { key: 'summaries', title: 'Memories that a search finds' },
  { key: 'embeddings', title: 'Memories with a vector' },
];

/** The six counts as they are this moment, and what comes in. */
export function Counts({ watched }: { watched: Watched }) {
  const counts = watched.status?.counts ?? null;
  const isOld = watched.link === 'gone';
  return (
    <section class={`readings ${isOld ? 'old' : ''}`} aria-label="Counts">
      <dl>
        {cells.map(({ key, title }) => (
          <div key={key} class={`reading reading-${key}`} title={title}>
            <dt>{key}</dt>
            <dd>
              <Figure value={counts?.[key] ?? null} />
            </dd>
          </div>
        ))}
        <Rate watched={watched} />
      </dl>
      {counts !== null && <Share counts={counts} />}
    </section>
  );
}

/** A figure that shows for a moment that it has changed. */
function Figure({ value }: { value: number | null }) {
  const before = useRef(value);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (before.current !== null && value !== before.current) setTurn((last) => last + 1);
    before.current = value;
  }, [value]);
  return (
    <span class={turn > 0 ? 'figure changed' : 'figure'} key={turn}>
      {value === null ? '–' : count(value)}
    </span>
  );
}

function Rate({ watched }: { watched: Watched }) {
  const [nowMs, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 2_000);
    return () => clearInterval(timer);
  }, []);
  const { perMinute, bins } = captureRate(
    watched.samples,
    Math.max(nowMs, watched.samples.at(-1)?.atMs ?? 0),
  );
  return (
    <div class="reading reading-rate" title="New events in the last minute; the line is the last ten">
      <dt>captures / min</dt>
      <dd>
        <span class="figure">{watched.status === null ? '–' : count(perMinute)}</span>
        <Spark values={bins} />
      </dd>
    </div>
  );
}

/** How far the events are: one line, parts in proportion. The figures above say the same in numbers. */
function Share({ counts }: { counts: Figures }) {
  const total = Math.max(1, counts.summarized + counts.raw + counts.skipped);
  const part = (value: number): string => `${(value / total) * 100}%`;
  return (
    <div class="share" aria-hidden="true">
      <span class="share-summarized" style={{ width: part(counts.summarized) }} />
      <span class="share-raw" style={{ width: part(counts.raw) }} />
      <span class="share-skipped" style={{ width: part(counts.skipped) }} />
    </div>
  );
}
