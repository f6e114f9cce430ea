import { Ago, Clock, Flags, What } from '../parts/marks.tsx';
import { Plain } from '../parts/plain.tsx';
import { type Route, writeRoute } from '../route.ts';
import type { Hit, Summary } from '../shapes.ts';
import { head, oneLine } from '../text/cut.ts';
import type { Wanted } from '../text/marked.ts';
import { visibleText } from '../text/visible.ts';
import { shortId } from '../text/words.ts';

const rowCharsMax = 320;

/** One memory in the list: when, what with, what it says, and where it came from. */
export function RecentRow({ summary, route, isNew }: { summary: Summary; route: Route; isNew: boolean }) {
  return (
    <a class={rowClass(summary, isNew)} {...linkTo(summary.id, route)}>
      <span class="row-lead">
        <Clock ts={summary.ts} />
      </span>
      <span class="row-text">
        <Plain text={oneLine(summary.text, rowCharsMax)} />
      </span>
      <Origin summary={summary} />
    </a>
  );
}

/** One hit: its rank and score, the words that were found marked. */
export function HitRow({
  hit,
  best,
  route,
  wanted,
  nowMs,
}: {
  hit: Hit;
  best: number;
  route: Route;
  wanted: Wanted;
  nowMs: number;
}) {
  const share = best > 0 ? Math.max(0.02, hit.score / best) : 0;
  return (
    <a class={rowClass(hit, false)} {...linkTo(hit.id, route)}>
      <span class="row-lead rank">
        <span class="rank-number">
          <span class="unseen">rank </span>
          {hit.rank}
        </span>
        <span class="score" title={`score ${hit.score}`}>
          <span class="unseen">score </span>
          {hit.score.toFixed(4)}
        </span>
        <span class="score-bar" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </span>
      <span class="row-text">
        <Plain text={head(hit.text.replace(/\s+/g, ' '), rowCharsMax)} wanted={wanted} />
      </span>
      <Origin summary={hit}>
        <Ago ts={hit.ts} nowMs={nowMs} />
      </Origin>
    </a>
  );
}

function Origin({ summary, children }: { summary: Summary; children?: preact.ComponentChildren }) {
  return (
    <span class="row-meta">
      <What summary={summary} />
      <Flags pinned={summary.pinned} supersededBy={summary.supersededBy} state={summary.state} />
      {children}
      <span class="id">#{summary.id}</span>
      {summary.eventId !== '' && (
        <span class="event" title={`source event ${visibleText(summary.eventId)}`}>
          {visibleText(shortId(summary.eventId))}
        </span>
      )}
      <span class="model" title="the model that wrote it">
        {visibleText(summary.model)}
      </span>
    </span>
  );
}

function rowClass(summary: Summary, isNew: boolean): string {
  const parts = [
    'row',
    summary.kind !== 'call' && `is-${summary.kind}`,
    summary.isError && 'is-failed',
    summary.supersededBy != null && 'is-superseded',
    isNew && 'is-new',
  ];
  return parts.filter(Boolean).join(' ');
}

function linkTo(id: number, route: Route) {
  return {
    href: writeRoute({ ...route, open: id }),
    'data-row': id,
    'aria-current': route.open === id ? ('true' as const) : undefined,
  };
}
