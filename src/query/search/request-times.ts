import { queryCharsMax } from '#core/limits';
import { Failure } from '#core/platform';
import type { SearchFilter } from '#memory/store';
import { type Span, sinceMs, spanWords, untilMs } from '#query/when';
import { askedAbout } from './asked-about.ts';
import { withoutForm } from './issue-form.ts';
import type { Dates, SearchRequest } from './shapes.ts';

/** A request with its times read. */
export interface Asked {
  /** Without the date that became a filter, and the form of a report. */
  readonly query: string;
  readonly filter: SearchFilter;
  readonly dates: Dates | null;
  /** Nothing but the date is asked for. */
  readonly isOnlyDate: boolean;
  readonly asOfMs: number;
}

/** A date that the query asks about is a filter unless `anytime`, `since` or `until` is given. @throws Failure `bad_request` */
export function askedOf(request: SearchRequest, now: () => number): Asked {
  const { since, until, anytime = false, session, tool, kinds, file, failed, client } = request;
  const asOfMs = clockOf(request, now);
  const query = request.query.slice(0, queryCharsMax);
  const isGiven = since !== undefined || until !== undefined;
  const named = isGiven || anytime ? null : askedAbout(query, asOfMs);
  const span: Span = named ?? {
    fromMs: since === undefined ? null : sinceMs(since, asOfMs),
    untilMs: until === undefined ? null : untilMs(until, asOfMs),
  };
  if (span.fromMs !== null && span.untilMs !== null && span.fromMs >= span.untilMs)
    throw new Failure('bad_request', '`since` is later than `until`', { repair: 'swap them' });
  const limits = { since: iso(span.fromMs) ?? undefined, until: iso(span.untilMs) ?? undefined };
  return {
    query: named?.rest ?? withoutForm(query),
    filter: { session, tool, kinds, file, failed, client, ...limits },
    dates: named === null ? null : datesOf(named, named.said),
    isOnlyDate: named?.isAlone === true,
    asOfMs,
  };
}

/** The same for all dates. */
export function lifted({
  filter: { since: _since, until: _until, ...filter },
  dates,
  ...asked
}: Asked): Asked {
  return { ...asked, filter, dates: dates === null ? null : { ...dates, lifted: true } };
}

function datesOf(span: Span, said: string): Dates {
  return { since: iso(span.fromMs), until: iso(span.untilMs), said, text: spanWords(span) };
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function clockOf({ asOf }: SearchRequest, now: () => number): number {
  if (asOf === undefined) return now();
  const ms = Date.parse(asOf);
  if (!Number.isNaN(ms)) return ms;
  throw new Failure('bad_request', `asOf ${JSON.stringify(asOf.slice(0, 80))} is not a time`, {
    repair: 'give it as ISO 8601, for example 2026-01-31T12:00:00Z',
  });
}
