import { type SessionAccounts, titleOf } from '#memory/account';
import { type Store, type Summary, timelineOf } from '#memory/store';
import { recipeFor } from '#query/outline';
import type { SearchRequest } from '#query/search';

export interface Placeable extends SearchRequest {
  /** Whether each hit comes with its place in its session. */
  readonly places?: boolean | undefined;
}

/** Hits with the command that the query asks for, and, if that was asked for, with the title of their session and what came next in it. */
export function placed<H extends Summary, F extends { readonly hits: readonly H[] }>(
  hits: F,
  { query, skip = 0, places, ...filters }: Placeable,
  { store, accounts }: { readonly store: Store; readonly accounts: SessionAccounts },
) {
  // It is of the whole project.
  const isNarrow = skip > 0 || narrowing.some((name) => filters[name]);
  const recipe = isNarrow ? null : recipeFor(query, store, accounts);
  const found = { ...hits, ...(recipe !== null && { recipe }) };
  if (places !== true) return found;
  const placedHits = found.hits.map((hit) => {
    const account = accounts.stored(hit.sessionId);
    const [next] = hit.kind === 'session' ? [] : (timelineOf(store, hit.id, 1)?.after ?? []);
    return { ...hit, ...(account !== null && { title: titleOf(account) }), ...(next && { next }) };
  });
  return { ...found, hits: placedHits };
}

const narrowing = ['session', 'since', 'until', 'file', 'failed', 'client'] as const;
