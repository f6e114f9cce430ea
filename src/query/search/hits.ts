import type { SearchReads, SummaryWithTerms } from '../../memory/store/index.ts';
import { type Asked, excerpts } from '../../memory/talk/index.ts';
import type { State } from '../state/index.ts';
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

/** What a message says where it answers; its summary says what matters on the whole. */
export function passageOf({ kind, text, terms: said }: SummaryWithTerms, asked: Asked): Pick<Hit, 'passage'> {
  return kind === 'message' ? { passage: excerpts(said, asked, text)(passageChars) } : {};
}

const passageChars = 600;

export function hitOf(
  { ranked, row: { terms: _terms, isError: _isError, ...row }, state }: FoundRow,
  at: number,
): Hit {
  const { supersededBy, count, score } = ranked;
  return {
    ...{ ...row, rank: at + 1, score, state },
    ...(supersededBy !== null && { supersededBy }),
    ...(count > 1 && { count }),
  };
}
