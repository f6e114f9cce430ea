/** A day that a query names, in milliseconds since 1970. */
export interface NamedDay {
  readonly from: number;
  readonly until: number;
  /** The query without the words of the day. */
  readonly rest: string;
}

/** The last day before `asOfMs` that a query names: `12 January`, `January 12th`, `2026-01-12`. Null if it names none. */
export function dayIn(query: string, asOfMs: number): NamedDay | null {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(query);
  if (iso !== null) return dayOf(query, iso[0], Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3])));
  const [said, number, name] = dayFirst.exec(query) ?? swapped(monthFirst.exec(query));
  if (said === undefined || number === undefined || name === undefined) return null;
  const month = months.indexOf(name.toLowerCase());
  const year = new Date(asOfMs).getUTCFullYear();
  const ms = Date.UTC(year, month, Number(number));
  return dayOf(query, said, ms > asOfMs ? Date.UTC(year - 1, month, Number(number)) : ms);
}

function dayOf(query: string, said: string, ms: number): NamedDay | null {
  if (Number.isNaN(ms)) return null;
  // A day begins and ends at other times in other parts of the world.
  return { from: ms - dayMs / 2, until: ms + 1.5 * dayMs, rest: query.replace(said, ' ') };
}

function swapped(found: RegExpExecArray | null): readonly (string | undefined)[] {
  return found === null ? [] : [found[0], found[2], found[1]];
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const month = `(${months.join('|')})`;
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${month}\\b`, 'i');
const monthFirst = new RegExp(`\\b${month} (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'i');
const dayMs = 86_400_000;
