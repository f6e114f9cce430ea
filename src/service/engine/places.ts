import { type SessionAccounts, titleOf } from '../../memory/account/index.ts';
import { type Store, type Summary, timelineOf } from '../../memory/store/index.ts';
import type { SearchRequest } from '../../query/search/index.ts';

export interface Placeable extends SearchRequest {
  /** Whether each hit comes with its place in its session. */
  readonly places?: boolean | undefined;
}

interface Parts {
  readonly store: Store;
  readonly accounts: SessionAccounts;
}

/** Hits with the title of their session and what came next in it, if that was asked for. */
export function placed<H extends Summary, F extends { readonly hits: readonly H[] }>(
  found: F,
  { places }: Placeable,
  { store, accounts }: Parts,
) {
  if (places !== true) return found;
  const hits = found.hits.map((hit) => {
    const account = accounts.stored(hit.sessionId);
    const [next] = hit.kind === 'session' ? [] : (timelineOf(store, hit.id, 1)?.after ?? []);
    return { ...hit, ...(account !== null && { title: titleOf(account) }), ...(next && { next }) };
  });
  return { ...found, hits };
}
