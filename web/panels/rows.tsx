import type { Wanted } from '#reading/terms';
import { withoutLineMarks } from '../../src/reading/talk/line-marks.ts';
import { withoutLead } from '../../src/reading/talk/speaker.ts';
import { Ago, Clock, Flags, StateChip, What } from '../parts/marks.tsx';
import { WantedWords } from '../parts/plain.tsx';
import { type Route, writeRoute } from '../route.ts';
import { Inline } from '../session/said.tsx';
import type { Hit, Summary } from '../shapes.ts';
import { oneLine, partOf, withoutLinks } from '../text/cut.ts';
import { visibleText } from '../text/visible.ts';
import { shortId } from '../text/words.ts';

const rowCharsMax = 320;
/** Four lines of a list next to an open memory. */
const hitCharsMax = 240;

/** One memory in the list: when, what with, what it says, and where it came from. */
export function RecentRow({ summary, route, isNew }: { summary: Summary; route: Route; isNew: boolean }) {
  return (
    <a class={rowClass(summary, isNew)} {...linkTo(summary.id, route)}>
      <span class="row-lead">
        <Clock ts={summary.ts} />
      </span>
      <Inline
        as="span"
        class="row-text"
        text={oneLine(withoutLinks(withoutLineMarks(ownWords(summary))), rowCharsMax)}
      />
      <Origin summary={summary}>
        <span class="row-source" title={`source event ${summary.eventId}, written by ${summary.model}`}>
          {summary.kind !== 'session' && `${visibleText(shortId(summary.eventId))}… · `}
          {visibleText(summary.model)}
        </span>
      </Origin>
    </a>
  );
}

interface HitProps {
  readonly hit: Hit;
  readonly best: number;
  readonly route: Route;
  readonly wanted: Wanted;
  readonly nowMs: number;
}

/** One hit, the words that were found marked. Its rank and score are read aloud and drawn as a bar; why explains them. */
export function HitRow({ hit, best, route, wanted, nowMs }: HitProps) {
  const share = best > 0 ? Math.max(0.02, hit.score / best) : 0;
  return (
    <a class={`${rowClass(hit, false)} is-hit`} {...linkTo(hit.id, route)}>
      <span class="unseen">
        rank {hit.rank}, <span class="score">score {hit.score.toFixed(4)}</span>
      </span>
      <span class="row-text">
        <WantedWords.Provider value={wanted}>
          <Inline text={shownOf(hit, wanted)} />
        </WantedWords.Provider>
      </span>
      <Origin summary={hit}>
        <StateChip state={hit.state} tool={hit.tool} />
        {hit.count !== undefined && hit.count > 1 && <span class="flag times">{hit.count} times</span>}
        <Ago ts={hit.ts} nowMs={nowMs} />
        <span class="score-bar" aria-hidden="true" title={`score ${hit.score.toFixed(4)}`}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </Origin>
    </a>
  );
}

/** The part that answers. */
function shownOf(hit: Hit, wanted: Wanted): string {
  return partOf(withoutLinks(withoutLineMarks(hit.passage ?? ownWords(hit))), wanted, hitCharsMax);
}

function Origin({ summary, children }: { summary: Summary; children?: preact.ComponentChildren }) {
  return (
    <span class="row-meta">
      <What summary={summary} />
      <Flags {...summary} />
      {children}
      <span class="id">#{summary.id}</span>
    </span>
  );
}

/** The words of a memory without who said it, which the page shows itself. */
export function ownWords({ kind, role, text }: Pick<Summary, 'kind' | 'role' | 'text'>): string {
  return kind === 'message' ? withoutLead(text, role) : text;
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
