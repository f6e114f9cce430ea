import { Failure } from '#core/platform';
import { spanOf } from './said.ts';
import { type Days, wholeMonth } from './span.ts';

/** What `since` and `until` take, for an error and for help. */
export const boundForms =
  '2026-02-12, 2026-02-12T15:00, 90m, 6h, 3d, 2w, yesterday, "last week", "12 February", "February 2026"';

/** A longer text is no time, and is not parsed. */
const charsMax = 64;

/** The first millisecond of `since`. @throws Failure `bad_request` with the valid forms */
export function sinceMs(text: string, nowMs: number): number {
  return boundOf('since', text, nowMs).fromMs;
}

/** The millisecond after the last of `until`, which includes its day. @throws Failure `bad_request` with the valid forms */
export function untilMs(text: string, nowMs: number): number {
  return boundOf('until', text, nowMs).untilMs;
}

function boundOf(name: 'since' | 'until', text: string, nowMs: number): Days {
  const given = text.trim();
  const span =
    given.length > charsMax
      ? null
      : (spanOf(given, nowMs) ?? namedMonth(given, nowMs) ?? instant(given, nowMs));
  if (span !== null) return span;
  const shown = JSON.stringify(given.slice(0, charsMax));
  throw new Failure('bad_request', `${name}: ${shown} is not a time`, { repair: `use one of ${boundForms}` });
}

function namedMonth(text: string, nowMs: number): Days | null {
  const [, year, at] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year !== undefined) return wholeMonth(Number(year), Number(at) - 1);
  if (!/^\p{L}{3,9}$/u.test(text)) return null;
  return (/day$/i.test(text) ? spanOf(`on ${text}`, nowMs) : null) ?? spanOf(`in ${text}`, nowMs);
}

/** `2w` ago, or an ISO 8601 time: one moment. */
function instant(text: string, nowMs: number): Days | null {
  const [, count, unit = ''] = /^(\d{1,4}) ?(m|h|d|w|y)$/i.exec(text) ?? [];
  const ms =
    count === undefined
      ? /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : nowMs - Number(count) * (unitMs[unit.toLowerCase()] ?? Number.NaN);
  return Number.isNaN(ms) ? null : { fromMs: ms, untilMs: ms };
}

const unitMs: Readonly<Record<string, number>> = {
  ...{ m: 60_000, h: 3_600_000, d: 86_400_000 },
  ...{ w: 7 * 86_400_000, y: 365 * 86_400_000 },
};
