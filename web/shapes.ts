/** What the bridge answers. Page and bridge are one build, so these are the daemon's own types, and nothing is checked again. */
import type { Json } from '#core/event';
import type {
  Browse,
  Counts,
  Edge,
  Listed,
  ListedSession,
  Summary as StoredSummary,
  Timeline as StoredTimeline,
} from '#memory/store';
import type { Used } from '#query/receipts';
import type { Found as DaemonFound, Hit as DaemonHit, Why as DaemonWhy } from '#query/search';
import type { FileHistory, FileStep, SessionDiff, Step, StepFile } from '#query/sessions';
import type { CommitName, State } from '#query/state';
import type { Info } from '#service/info';
import type { Brief, OpenNow, SessionAccount } from '../src/memory/account/account.ts';
import type { Project } from '../src/service/daemon/projects.ts';

export type { Counts, FileHistory, FileStep, OpenNow, Project, SessionAccount, State, Step, StepFile, Used };
export type Status = Info;
export type Change = SessionDiff;
export type GraphEdge = Edge;

/** One `counts` event of the stream. */
export type Live = Pick<Status, 'counts' | 'counters' | 'backends' | 'usage' | 'budget' | 'warnings'>;

/** A memory in any list; a listing has its client, a hit its state. */
export type Summary = StoredSummary &
  Partial<Pick<Listed, 'client'>> & {
    readonly supersededBy?: number | null;
    readonly state?: State | null;
  };

/** Of an edit of a file: whether it is still in it, and the commit that holds it. */
export type EditState = State & { readonly commit?: CommitName | 'open' };

/** One memory, with its payload; a session has no place among the events. */
export interface Memory extends Summary {
  readonly seq?: number;
  readonly terms?: string;
  readonly payload: Json;
  /** The payload was too long to send whole. */
  readonly payloadCut?: true;
  readonly embedder: string | null;
  readonly dimension: number | null;
  readonly edges: readonly GraphEdge[];
}

export type Timeline = StoredTimeline;
export type Hit = DaemonHit;
export type Found = DaemonFound;
export type Why = DaemonWhy;
export type Leg = Pick<Why['bm25'], 'rank' | 'contribution'> & Partial<Pick<Why['bm25'], 'score'>>;
export type Graph = NonNullable<ReturnType<Browse['graph']>>;

/** `brief`: null until the session is summarised. */
export type Session = ListedSession & { readonly brief: Brief | null };

/** By session. */
export type Standings = Readonly<
  Record<string, Pick<OpenNow, 'ending' | 'uncommitted'> & Pick<Brief, 'failures'>>
>;

/** A part of a session, oldest first. */
export interface SessionPart {
  readonly session: Session;
  /** Of the whole session as it is now; only with the first part and the last. */
  readonly account: SessionAccount | null;
  /** The whole reply that the outcome is from, with the account. */
  readonly reply: string | null;
  readonly steps: readonly Step[];
  readonly last: string | null;
  readonly isEnd: boolean;
}

/** One step with its redacted payload. */
export type StepDetail = Pick<Step, 'seq' | 'id' | 'ts'> &
  Pick<Memory, 'sessionId' | 'isError' | 'payload' | 'payloadCut'>;

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
