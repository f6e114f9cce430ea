import { messageTools } from '#core/event';
import type { SearchReads } from '#memory/store';
import { type Scored, step, times } from './factor.ts';
import type { Reading } from './intent.ts';
import { question } from './looks-back.ts';

/**
 * Among the best, what has the whole query word for word comes first: somebody pasted a line of it. 256 lines of recorded messages and
 * failures, first hits without -> with: 88 -> 122 of 134 in three projects, 77 -> 108 of 122 in three others. Of 251 lines of messages that
 * read as a change ("Run the ..."): 12 -> 99 of 110, 12 -> 107 of 141; commits in the one ranking -.003 [-.008, .000], among calls .000.
 */
export function raiseVerbatim<R extends Scored & { readonly supersededBy: number | null }>(
  store: SearchReads,
  best: readonly R[],
  reading: Reading,
): readonly R[] {
  const said = reading.query.trim();
  if (reading.isOnlyDate || question.test(said) || said.split(/\s+/).length < wordsMin) return best;
  // The subject of a change looks for the edits: it is in the command that committed it, and in the reply that says so.
  const isSubject = subject.test(said);
  const may = ({ place: { kind, tool } }: R): boolean =>
    reading.intent !== 'change' || (kind === 'message' && (!isSubject || tool !== messageTools.assistant));
  const ids = best.flatMap((one) => (may(one) ? one.place.id : [])).slice(0, looked);
  const having = store.having(JSON.stringify(said).slice(1, -1), ids);
  const lowest = Math.min(...best.filter(({ place }) => having.has(place.id)).map(({ score }) => score));
  const value = lowest > 0 ? ((best[0]?.score ?? 0) / lowest) * step : 1;
  // What replaces one of them stays above it.
  const after = new Set(having);
  for (const { place, supersededBy } of best)
    for (let next = after.has(place.id) ? supersededBy : null; next !== null && !after.has(next); ) {
      after.add(next);
      next = best.find((one) => one.place.id === next)?.supersededBy ?? null;
    }
  return best.map((one) => {
    if (!after.has(one.place.id)) return one;
    const words = `${having.has(one.place.id) ? 'has' : 'replaces a memory that has'} the query word for word`;
    return times(one, { name: 'verbatim', value, words });
  });
}

/** A short line without a full stop. */
const subject = /^.{0,71}[^.!?:;]$/;
const looked = 40;
const wordsMin = 4;
