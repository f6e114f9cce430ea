/** What the bridge answers (CONTRACT 8). The page and the bridge are one build, so these are stated, not checked again. */
import type { DiffLine } from '../src/calls/edits/line-diff.ts';
import type { MemoryKind, Role } from '../src/core/event/event.ts';
import type { Json } from '../src/core/event/json.ts';
import type { ToolFamily } from '../src/core/event/tool-family.ts';
import type { Brief, OpenNow, SessionAccount } from '../src/memory/account/account.ts';

export interface Counts {
  readonly events: number;
  /** Of the events, those that are messages. */
  readonly messages: number;
  readonly raw: number;
  readonly summarized: number;
  readonly skipped: number;
  readonly summaries: number;
  readonly embeddings: number;
}

export interface Backends {
  readonly drain: string | null;
  readonly drainError: string | null;
  readonly drainHint: string | null;
  readonly embedder: string | null;
}

export interface Usage {
  readonly day: string;
  readonly backend: string;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price is not known. */
  readonly costUsd: number | null;
}

export interface Scope {
  readonly state: 'off' | 'on' | 'invalid';
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly error?: string;
}

/** Of memories given to sessions: how many were used afterwards. `byChance`: what other sessions show; null: not known. */
export interface Used {
  readonly given: number;
  readonly used: number;
  readonly byChance: number | null;
}

/** What memory gave to sessions. */
export interface Receipts {
  readonly since: string | null;
  readonly outlines: number;
  readonly recalls: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly used: { readonly commands: Used; readonly files: Used; readonly hits: Used };
}

/** `memd info --json`. */
export interface Status {
  readonly version: string;
  readonly workspace: { readonly key: string; readonly root: string; readonly namespace: string };
  readonly daemon: {
    readonly reachable: boolean;
    readonly pid: number | null;
    readonly uptimeSec: number | null;
  };
  readonly counts: Counts;
  /** False: neither prompts nor replies are stored. */
  readonly messages: boolean;
  readonly backends: Backends;
  readonly http: { readonly url: string } | null;
  readonly focus: string | null;
  /** Null until the page has asked for them. */
  readonly receipts: Receipts | null;
  readonly scope: Scope;
  readonly usage: readonly Usage[];
  readonly budget: { readonly dailyTokens: number; readonly remainingTokens: number } | null;
  readonly counters: Readonly<Record<string, number>> | null;
  readonly warnings: readonly string[];
  /** What the daemon ranks with. */
  readonly search: { readonly halfLifeDays: number; readonly decayFloor: number } | null;
}

/** One `counts` event of the stream. */
export type Live = Pick<Status, 'counts' | 'counters' | 'backends' | 'usage' | 'budget' | 'warnings'>;

/** Whether a memory still holds in the working tree. */
export interface State {
  readonly verdict: 'current' | 'changed' | 'gone' | 'unknown';
  readonly detail: string;
}

export interface Summary {
  readonly id: number;
  readonly ts: string;
  readonly kind: MemoryKind;
  readonly role?: Role;
  readonly turnId?: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly eventId: string;
  readonly toolUseId: string | null;
  /** The other author who recorded it. */
  readonly author?: string;
  readonly client?: string;
  readonly isError?: boolean;
  readonly model: string;
  readonly text: string;
  readonly pinned: boolean;
  readonly supersededBy?: number | null;
  /** Of a hit, and of one memory. */
  readonly state?: State | null;
}

export interface Memory extends Summary {
  /** Its place among the events; a session has none. */
  readonly seq?: number;
  readonly state?: State;
  readonly terms?: string;
  readonly payload: Json;
  /** The payload was too long to send whole. */
  readonly payloadCut?: true;
  readonly embedder: string | null;
  readonly dimension: number | null;
  readonly edges: readonly GraphEdge[];
}

/** A memory and its neighbours, oldest first; of a message: its turn. */
export interface Timeline {
  readonly before: readonly Summary[];
  readonly summary: Summary;
  readonly after: readonly Summary[];
}

/** Whether what a memory says still holds in the working tree. */
export interface Hit extends Summary {
  readonly rank: number;
  readonly score: number;
  readonly state?: State;
  /** How many equal results it stands for. */
  readonly count?: number;
  /** What a message says where the words fit best. */
  readonly passage?: string;
}

/** The hits of a search with what limited them. */
export interface Found {
  readonly hits: readonly Hit[];
  /** The date in the query, in words. */
  readonly dates?: { readonly text: string };
  /** No memory mentions a name in the query. */
  readonly fits?: false;
  /** Where the query has words that no memory has, from and to. */
  readonly missing?: readonly (readonly [number, number])[];
  /** The most hits that a search gives (`topK` of the configuration), when more were asked for. */
  readonly topK?: number;
}

export interface Leg {
  readonly rank: number | null;
  readonly score?: number | null;
  readonly contribution: number;
}

export interface Why {
  readonly id: number;
  readonly bm25: Leg & {
    readonly terms?: readonly { readonly term: string; readonly word: string; readonly idf: number }[];
  };
  readonly vector: Leg & { readonly similarity: number | null; readonly embedder: string | null };
  readonly legs?: Readonly<Record<string, Leg>>;
  readonly decay: { readonly ageDays: number; readonly factor: number; readonly pinned: boolean };
  readonly factors?: Readonly<Record<string, number>>;
  readonly rrf: { readonly score: number; readonly rank: number | null };
  readonly explanation: string;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly evidence: string | null;
  readonly ts: string;
}

export interface Graph {
  readonly nodes: readonly (Summary & { readonly superseded: boolean })[];
  readonly edges: readonly GraphEdge[];
  readonly cut?: boolean;
}

export interface Session {
  readonly sessionId: string;
  readonly client: string;
  readonly events: number;
  readonly messages: number;
  readonly errors: number;
  readonly firstTs: string;
  readonly lastTs: string;
  readonly digest: string | null;
  readonly author?: string;
  /** Null until the session is summarised. */
  readonly brief: Brief | null;
}

export interface StepFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly isNew?: true;
  readonly isGone?: true;
}

/** One message or call of a session in a line. */
export interface Step {
  readonly seq: number;
  readonly id: number | null;
  readonly ts: string;
  readonly author?: string;
  readonly kind: 'prompt' | 'reply' | 'call';
  readonly tool: string;
  readonly family?: ToolFamily;
  readonly title: string;
  readonly isCut?: true;
  readonly isAgent?: true;
  readonly isCompaction?: true;
  readonly end?: 'failed' | 'refused' | 'cancelled';
  readonly exit?: number;
  readonly said?: string;
  readonly files?: readonly StepFile[];
  readonly runs?: readonly {
    readonly name: string;
    readonly isCheck: boolean;
    readonly verdict: 'passed' | 'failed' | 'none';
  }[];
  readonly commit?: string;
}

/** A part of a session, oldest first. */
export interface SessionPart {
  readonly session: Session;
  /** Of the whole session as it is now. */
  readonly account: SessionAccount | null;
  readonly steps: readonly Step[];
  readonly last: string | null;
  readonly isEnd: boolean;
}

/** One step with its redacted payload. */
export interface StepDetail {
  readonly seq: number;
  readonly id: number | null;
  readonly ts: string;
  readonly sessionId: string;
  readonly isError: boolean;
  readonly payload: Json;
  readonly payloadCut?: true;
}

export type { OpenNow, SessionAccount };

/** What a session changed in one file altogether. */
export interface Change {
  readonly path: string;
  readonly edits: number;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  readonly isCut: boolean;
}

export interface FileStep extends Step {
  readonly sessionId: string;
  readonly asked: string;
  readonly symbols?: readonly string[];
  readonly replaces?: readonly number[];
}

export interface FileHistory {
  readonly path: string;
  readonly steps: readonly FileStep[];
  readonly isCut: boolean;
}

/** Another memory of the namespace. */
export interface Project {
  readonly key: string;
  readonly root: string;
  readonly isHere: boolean;
  readonly isServed: boolean;
  readonly changedMs: number | null;
}

export interface ToolCount {
  readonly tool: string;
  readonly count: number;
}

export interface Filters {
  /** `call`, `message` or `session`; empty for all. */
  readonly kind: string;
  readonly session: string;
  readonly tool: string;
  /** A span such as `24h`, or an ISO time; empty for all. */
  readonly since: string;
  readonly until: string;
}
