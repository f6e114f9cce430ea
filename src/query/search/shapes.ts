import type { MemoryKind, Role } from '../../core/event/index.ts';

/** CONTRACT 2. */
export interface SearchRequest {
  readonly query: string;
  /** At most this many hits; never more than the setting `topK`. */
  readonly topK?: number | undefined;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  /** Only memories of these kinds; all kinds when it is missing. */
  readonly kinds?: readonly MemoryKind[] | undefined;
  /** ISO 8601: the clock of the decay; now when it is missing. */
  readonly asOf?: string | undefined;
}

export interface WhyRequest extends SearchRequest {
  /** `summaries.id` */
  readonly id: number;
}

export interface Hit {
  readonly id: number;
  /** 1 for the best. */
  readonly rank: number;
  readonly score: number;
  readonly text: string;
  readonly model: string;
  readonly ts: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly eventId: string;
  readonly toolUseId: string | null;
  readonly pinned: boolean;
  readonly kind: MemoryKind;
  readonly role?: Role;
  readonly turnId?: string;
  /** The summary that replaced this one, whether found or not. */
  readonly supersededBy?: number;
}

/** The numbers behind a hit's rank: `rrf.score` = sum of contributions x product of factors, to the bit. */
export interface Why {
  readonly id: number;
  /** `contribution` = weight / (rrfK + rank); rank and score are null when the leg did not find it. */
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
}

export interface Found {
  readonly hits: readonly Hit[];
  /** Only when nothing fits well: the query names a product that no memory mentions. The hits are the nearest of the rest. */
  readonly fits?: false;
}

export interface Explained {
  readonly fits?: false;
  readonly hits: readonly (Hit & { readonly why: Why })[];
  /** `summaries.id` by leg, best first. */
  readonly legs: Readonly<Record<string, readonly number[]>>;
}

/** Settings of CONTRACT 1b. */
export interface SearchSettings {
  readonly topK: number;
  /** 0: no decay. */
  readonly halfLifeDays: number;
  readonly decayFloor: number;
  readonly rrfK: number;
}
