import type { RedactRows, TextRow, TextTable } from '../../../memory/store/index.ts';
import { resummariseAlone } from '../../../memory/summarise/index.ts';
import { cleanJsonText, cleanText } from './clean.ts';
import { type Removed, withoutRemoved } from './removed.ts';
import { joinKinds, type Tally } from './tally.ts';

const removedQuotedCharsMin = 40;
const removedCarriedMax = 500;

/**
 * Judges the rows of a database: each text by today's rules and, in what was made of events, also what they have taken
 * out of those. A summary that may quote a part of what is gone is made again from what its event says now. `named`
 * gives the place that is counted for a row.
 */
export function cleanRows(tally: Tally, named: (table: TextTable) => string): RedactRows {
  // A later summary, an edge or a digest may quote an earlier event; the events come first.
  const carried: Removed[] = [];
  return (group) => {
    const cleaning = new Cleaning(carried);
    const changes = group.map((row) => {
      const { texts, kinds } = cleaning.row(row);
      if (Object.keys(texts).length === 0) return null;
      tally.add(named(row.table), kinds);
      return texts;
    });
    carried.push(...cleaning.removed.slice(0, removedCarriedMax));
    carried.splice(0, carried.length - removedCarriedMax);
    return changes;
  };
}

interface Changed {
  readonly texts: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<string, number>>;
}

/** Of an event and its summary, or of one row alone. */
class Cleaning {
  readonly removed: Removed[] = [];
  readonly #carried: readonly Removed[];
  /** The event's payload as it must be, where that is not as it was. */
  #payload: string | null = null;

  constructor(carried: readonly Removed[]) {
    this.#carried = carried;
  }

  row({ table, texts }: TextRow): Changed {
    const changed: Record<string, string> = {};
    let kinds: Record<string, number> = {};
    for (const [column, text] of Object.entries(texts)) {
      const cleaned = column === 'payload_json' ? cleanJsonText(text) : cleanText(text);
      if (cleaned !== null) kinds = joinKinds(kinds, cleaned.kinds);
      if (table === 'events') {
        this.removed.push(...(cleaned?.removed ?? []));
        if (column === 'payload_json') this.#payload = cleaned?.text ?? null;
      }
      const isDerived =
        table === 'summaries' || table === 'edges' || table === 'digests' || column === 'last_error';
      const clean = withoutRemoved(
        cleaned?.text ?? text,
        isDerived ? [...this.removed, ...this.#carried] : [],
      );
      if (clean === text) continue;
      changed[column] = clean;
      if (cleaned === null) kinds = joinKinds(kinds, { 'repeated-secret': 1 });
    }
    return table === 'summaries'
      ? this.#toldAgain(texts, { texts: changed, kinds })
      : { texts: changed, kinds };
  }

  /** Of a long secret a summary may hold any part, which nothing could find. */
  #toldAgain(texts: TextRow['texts'], changed: Changed): Changed {
    if (this.#payload === null || !this.removed.some(mayBeQuotedInPart)) return changed;
    const told = resummariseAlone(this.#payload);
    const words = { text: told.text, terms: told.terms };
    if (words.text === texts['text'] && words.terms === texts['terms']) return changed;
    const kinds = Object.keys(changed.kinds).length === 0 ? { 'repeated-secret': 1 } : changed.kinds;
    return { texts: words, kinds };
  }
}

function mayBeQuotedInPart({ text, placeholder }: Removed): boolean {
  return text.length >= removedQuotedCharsMin || /private|kubernetes/.test(placeholder);
}
