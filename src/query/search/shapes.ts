import type * as v from 'valibot';
import type { MemoryKind } from '#core/event';
import type { limitsShape } from '#core/rpc';
import type { Origin, Summary } from '#memory/store';
import type { State } from '#query/state';

/** What a search asks for. */
export interface SearchRequest {
  readonly query: string;
  /** At most this many hits; never more than the setting `topK`. */
  readonly topK?: number | undefined;
  /** The hits after so many; the answer then has `more` if there are further ones. */
  readonly skip?: number | undefined;
  /** An id, its beginning, or `last`. */
  readonly session?: string | undefined;
  /** In any case. */
  readonly tool?: string | undefined;
  /** Only memories of these kinds; all kinds when it is missing. */
  readonly kinds?: readonly MemoryKind[] | undefined;
  /** A time or a span in words: `2w`, `yesterday`, `12 February`. `until` includes its day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** A path or the end of one. */
  readonly file?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly client?: string | undefined;
  /** A date in the query is no filter. */
  readonly anytime?: boolean | undefined;
  /** ISO 8601: the clock of the decay and of dates in words; now when it is missing. */
  readonly asOf?: string | undefined;
  /** The folder of who asks: states are those of its working tree. */
  readonly cwd?: string | undefined;
}

export interface WhyRequest extends SearchRequest {
  /** `summaries.id` */
  readonly id: number;
}

export interface Hit extends Summary {
  /** 1 for the best. */
  readonly rank: number;
  readonly score: number;
  /** The summary that replaced this one, whether found or not. */
  readonly supersededBy?: number;
  /** Of equal results, of which this is the newest: the same call that ended alike, the same words. Missing for one. */
  readonly count?: number;
  /** Of a message: the part that answers, in whole sentences as they were written, of at most 600 characters. */
  readonly passage?: string;
  /** Whether it still holds in the working tree. */
  readonly state: State;
}

/** What limited the hits without being asked to. */
export type Limits = v.InferOutput<typeof limitsShape>;

/** The date or span in a query, which limits its hits: ISO 8601, `until` exclusive, null without a bound; as written; in words. */
export type Dates = NonNullable<Limits['dates']>;

export interface Found extends Limits {
  readonly hits: readonly Hit[];
}

export interface Fitting extends Limits {
  readonly hits: readonly (Hit & { readonly fit: number })[];
}

export interface SessionHit {
  readonly sessionId: string;
  /** 1 for the best. */
  readonly rank: number;
  readonly score: number;
  /** Of its first and last event. */
  readonly firstTs: string;
  readonly lastTs: string;
  readonly digest: string | null;
  /** The other author who recorded it. */
  readonly author?: string;
  /** Best first. */
  readonly moments: readonly Hit[];
}

export interface FoundSessions extends Limits {
  readonly sessions: readonly SessionHit[];
}

/** The numbers behind a hit's rank: `rrf.score` = sum of contributions x product of factors, to the bit. */
export interface Why extends Origin {
  readonly id: number;
  /** `contribution` = weight / (rrfK + rank), or by score; rank and score are null when the leg did not find it. */
  readonly bm25: {
    readonly rank: number | null;
    readonly score: number | null;
    readonly contribution: number;
    /** The query's terms in the summary, as indexed and as written, the rarest first. */
    readonly terms: readonly { readonly term: string; readonly word: string; readonly idf: number }[];
  };
  readonly vector: {
    readonly rank: number | null;
    readonly similarity: number | null;
    readonly contribution: number;
    /** Name of the embedder in force; null when there is none. */
    readonly embedder: string | null;
  };
  readonly legs?: Readonly<
    Record<
      string,
      { readonly rank: number | null; readonly score: number | null; readonly contribution: number }
    >
  >;
  readonly decay: { readonly ageDays: number; readonly factor: number; readonly pinned: boolean };
  readonly factors?: Readonly<Record<string, number>>;
  /** `rank` is the hit's; null when the query does not find the summary. */
  readonly rrf: { readonly score: number; readonly rank: number | null };
  readonly explanation: string;
  /** The same for a person, without figures. */
  readonly sentence: string;
  readonly state: State;
}

export interface Explained extends Limits {
  readonly hits: readonly (Hit & { readonly why: Why })[];
  /** `summaries.id` by leg, best first. */
  readonly legs: Readonly<Record<string, readonly number[]>>;
}

/** The settings of docs/search.md. */
export interface SearchSettings {
  readonly topK: number;
  /** 0: no decay. */
  readonly halfLifeDays: number;
  readonly decayFloor: number;
  readonly rrfK: number;
}
