import { joinKinds, type Kinds } from '#memory/archive';
import type { RedactRows, TextRow, TextTable } from '#memory/store';
import { resummarise } from '#memory/summarise';
import { cleanJsonText, cleanText, type Tally } from './clean.ts';
import { type Removed, withoutRemoved } from './removed.ts';

const quotedCharsMin = 40;
const carriedMax = 500;

/**
 * Redacts the rows of a database. Texts that were derived from events also lose what was removed from these, and a summary
 * that may quote a part of it is written again from the redacted event. `named` gives the place to count a row under.
 */
export function cleanRows(tally: Tally, named: (table: TextTable) => string): RedactRows {
  // A later summary, edge or digest may quote an earlier event.
  const carried: Removed[] = [];
  return (group) => {
    const cleaning = new Cleaning(carried);
    const changes = group.map((row) => {
      const { texts, kinds } = cleaning.row(row);
      if (Object.keys(texts).length === 0) return null;
      tally.add(named(row.table), kinds);
      return texts;
    });
    carried.push(...cleaning.removed.slice(0, carriedMax));
    carried.splice(0, carried.length - carriedMax);
    return changes;
  };
}

interface Change {
  readonly texts: Readonly<Record<string, string>>;
  readonly kinds: Kinds;
}

const derived: ReadonlySet<TextTable> = new Set(['summaries', 'edges', 'digests', 'accounts']);

/** For an event with its summary, or one other row. */
class Cleaning {
  readonly removed: Removed[] = [];
  readonly #carried: readonly Removed[];
  /** The event's redacted payload; null if redaction changed nothing. */
  #payload: string | null = null;

  constructor(carried: readonly Removed[]) {
    this.#carried = carried;
  }

  row({ table, texts }: TextRow): Change {
    const changed: Record<string, string> = {};
    let kinds: Kinds = {};
    for (const [column, text] of Object.entries(texts)) {
      const cleaned = column === 'payload_json' ? cleanJsonText(text) : cleanText(text);
      if (cleaned !== null) kinds = joinKinds(kinds, cleaned.kinds);
      if (table === 'events') {
        this.removed.push(...(cleaned?.removed ?? []));
        if (column === 'payload_json') this.#payload = cleaned?.text ?? null;
      }
      const isDerived = derived.has(table) || column === 'last_error';
      const secrets = isDerived ? [...this.removed, ...this.#carried] : [];
      const clean = withoutRemoved(cleaned?.text ?? text, secrets);
      if (clean === text) continue;
      changed[column] = clean;
      if (cleaned === null) kinds = joinKinds(kinds, { 'repeated-secret': 1 });
    }
    const change = { texts: changed, kinds };
    return table === 'summaries' ? this.#resummarised(texts, change) : change;
  }

  /** A summary may hold any part of a long secret, and no search would find that part. */
  #resummarised(texts: TextRow['texts'], change: Change): Change {
    if (this.#payload === null || !this.removed.some(mayBeQuotedInPart)) return change;
    const { text, terms } = resummarise(this.#payload);
    if (text === texts['text'] && terms === texts['terms']) return change;
    const kinds = Object.keys(change.kinds).length === 0 ? { 'repeated-secret': 1 } : change.kinds;
    return { texts: { text, terms }, kinds };
  }
}

function mayBeQuotedInPart({ text, placeholder }: Removed): boolean {
  return text.length >= quotedCharsMin || /private|kubernetes/.test(placeholder);
}
