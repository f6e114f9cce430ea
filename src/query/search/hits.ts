import type { SearchReads, SummaryWithTerms } from '#memory/store';
import type { State } from '#query/state';
import { type Asked, passageIn } from '#reading/talk';
import type { Ranked } from './rank.ts';
import type { Hit } from './shapes.ts';

export interface FoundRow<R extends Ranked = Ranked> {
  readonly ranked: R;
  readonly row: SummaryWithTerms;
  readonly state: State;
}

export const unchecked: State = { verdict: 'unknown', detail: 'not checked' };

export function withRows<R extends Ranked>(
  store: SearchReads,
  best: readonly R[],
  states: ReadonlyMap<number, State>,
): FoundRow<R>[] {
  const rows = new Map(store.rows(best.map(({ place }) => place.id)).map((row) => [row.id, row]));
  return best.flatMap((ranked) => {
    const row = rows.get(ranked.place.id);
    if (row === undefined) return [];
    return [{ ranked, row, state: states.get(row.id) ?? unchecked }];
  });
}

const passageChars = 600;

/** With what a message says where it answers; its summary says what matters on the whole. */
export function hitOf(
  { ranked, row: { terms: said, isError: _isError, ...row }, state }: FoundRow,
  at: number,
  asked: Asked,
): Hit {
  const { supersededBy, count, score } = ranked;
  return {
    ...{ ...row, rank: at + 1, score, state },
    ...(row.kind === 'message' && { passage: passageIn(said, asked, passageChars, row.text) }),
    ...(supersededBy !== null && { supersededBy }),
    ...(count > 1 && { count }),
  };
}
