import type { Cleanse, Place, TextRow } from '../../store/index.ts';
import { cleanJsonText, cleanText } from './clean.ts';
import { type Removed, withoutRemoved } from './removed.ts';
import { joinKinds, type Tally } from './tally.ts';

/**
 * Judges the rows of a database: each text by today's rules and, in what was made of an event, also what they have
 * taken out of that event. `named` gives the place that is counted for a row.
 */
export function cleanRows(tally: Tally, named: (place: Place) => string): Cleanse {
  return (group) => {
    const removed: Removed[] = [];
    return group.map((row) => {
      const { changes, kinds } = cleanRow(row, removed);
      if (Object.keys(changes).length === 0) return null;
      tally.add(named(row.place), kinds);
      return changes;
    });
  };
}

function cleanRow(
  { place, texts }: TextRow,
  removed: Removed[],
): { changes: Record<string, string>; kinds: Record<string, number> } {
  const changes: Record<string, string> = {};
  let kinds: Record<string, number> = {};
  for (const [column, text] of Object.entries(texts)) {
    const cleaned = column === 'payload_json' ? cleanJsonText(text) : cleanText(text);
    if (cleaned !== null) kinds = joinKinds(kinds, cleaned.kinds);
    if (place === 'events') removed.push(...(cleaned?.removed ?? []));
    const known = place === 'summaries' || column === 'last_error' ? removed : [];
    const clean = withoutRemoved(cleaned?.text ?? text, known);
    if (clean === text) continue;
    changes[column] = clean;
    if (cleaned === null) kinds = joinKinds(kinds, { 'repeated-secret': 1 });
  }
  return { changes, kinds };
}
