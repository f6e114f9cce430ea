import * as v from 'valibot';
import { type Json, memoryKinds, noteTool } from '#core/event';
import { Failure } from '#core/platform';

/**
 * The memories and ranking numbers in the daemon's replies, for all its clients. Unknown fields of a memory are dropped.
 */
const rank = v.nullable(v.number());
const leg = v.looseObject({ rank, contribution: v.number() });

/** Any JSON. */
export const jsonShape = v.custom<Json>((value) => value !== undefined);

/** Whether a memory still holds. A daemon of an earlier version does not say. */
export const stateShape = v.object({
  verdict: v.picklist(['current', 'changed', 'gone', 'unknown']),
  detail: v.string(),
});

export const summaryShape = v.object({
  id: v.number(),
  eventId: v.string(),
  toolUseId: v.nullable(v.string()),
  text: v.string(),
  model: v.string(),
  ts: v.string(),
  tool: v.string(),
  sessionId: v.string(),
  pinned: v.boolean(),
  isError: v.optional(v.boolean()),
  /** A daemon of an earlier version has calls only. */
  kind: v.optional(v.picklist(memoryKinds), 'call'),
  role: v.nullish(v.picklist(['user', 'assistant'])),
  turnId: v.nullish(v.string()),
  /** Of what another author recorded. */
  author: v.optional(v.string()),
  device: v.optional(v.string()),
  /** The other author who pinned it. It counts as `pinned` if that one is trusted. */
  pinnedBy: v.optional(v.string()),
});

export const hitShape = v.object({
  ...summaryShape.entries,
  rank: v.number(),
  score: v.number(),
  supersededBy: v.optional(v.number()),
  /** Of equal results; missing for one. */
  count: v.optional(v.number()),
  /** Of a search in all workspaces: the folder of its project. */
  workspace: v.optional(v.string()),
  state: v.nullish(stateShape),
  /** Of a message: the part that answers. */
  passage: v.optional(v.string()),
  /** With `places`: the title of its session, and what came next in it. */
  title: v.optional(v.string()),
  next: v.optional(summaryShape),
});

/** What limited the hits of a search: a date in the query, the setting `topK`; and whether nothing fits well. */
export const limitsShape = v.object({
  dates: v.optional(
    v.object({
      ...{ since: v.nullable(v.string()), until: v.nullable(v.string()) },
      ...{ said: v.string(), text: v.string() },
      /** It left nothing, and the hits are of other dates. */
      lifted: v.optional(v.literal(true)),
    }),
  ),
  /** Only when there is no memory between the dates: the nearest day with one, as `12 February 2026`. */
  nearest: v.optional(v.string()),
  /** Only when nothing fits well: the query names a product that no memory mentions. */
  fits: v.optional(v.literal(false)),
  /** Where the query has words that no memory has, from and to. */
  missing: v.optional(v.pipe(v.array(v.pipe(v.tuple([v.number(), v.number()]), v.readonly())), v.readonly())),
  topK: v.optional(v.number()),
  /** The command that the query asks for, and its last run that passed. */
  recipe: v.optional(
    v.object({ id: v.nullable(v.number()), ts: v.string(), command: v.string(), place: v.string() }),
  ),
  /** With `skip`: what to skip for the next hits. */
  more: v.optional(v.number()),
});

/** A session with its best moments. */
export const sessionHitShape = v.object({
  ...{ sessionId: v.string(), rank: v.number(), score: v.number() },
  ...{
    firstTs: v.string(),
    lastTs: v.string(),
    digest: v.nullable(v.string()),
    title: v.optional(v.string(), ''),
    workMs: v.optional(v.number()),
    author: v.optional(v.string()),
  },
  moments: v.array(hitShape),
});

/** An edge between two memories; `from` is the newer. */
export const edgeShape = v.object({
  from: v.number(),
  to: v.number(),
  kind: v.string(),
  evidence: v.string(),
  ts: v.string(),
});

/** A memory of `get`, without its payload. */
export const detailShape = v.object({
  ...summaryShape.entries,
  embedder: v.nullable(v.string()),
  dimension: v.nullable(v.number()),
  state: v.nullish(stateShape),
  edges: v.array(edgeShape),
});

export const timelineShape = v.object({
  before: v.array(summaryShape),
  summary: summaryShape,
  after: v.array(summaryShape),
});

/** The numbers behind a rank: `rrf.score` is the sum of all contributions times all factors. */
export const whyShape = v.looseObject({
  id: v.number(),
  author: v.optional(v.string()),
  bm25: v.looseObject({ ...leg.entries, score: rank, terms: v.optional(v.array(v.unknown())) }),
  vector: v.looseObject({ ...leg.entries, similarity: rank }),
  legs: v.optional(v.record(v.string(), leg)),
  decay: v.looseObject({ ageDays: v.number(), factor: v.number(), pinned: v.boolean() }),
  factors: v.optional(v.record(v.string(), v.number())),
  rrf: v.looseObject({ score: v.number(), rank }),
  explanation: v.string(),
  state: v.nullish(stateShape),
});

/** A reply in the form that `schema` gives. @throws Failure `bad_reply` when the daemon is of another version */
export function inForm<S extends v.GenericSchema>(schema: S, reply: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, reply);
  if (result.success) return result.output;
  throw new Failure('bad_reply', "the daemon's answer has an unknown form", {
    repair: 'run `memd restart` (the running daemon may be of an older version)',
  });
}

/** Enough of a session's id to name it: 8 characters of a random one, 16 of one that begins with a name or a time. */
export function shortSession(sessionId: string): string {
  return sessionId.slice(0, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5]/i.test(sessionId) ? 8 : 16);
}

/** The tool of a call, or `note by the user`, `user message`, `assistant message`, `session`. */
export function whatWords({ kind, role, tool = '' }: Spoken): string {
  if (kind === 'session') return 'session';
  if (kind === 'message' && tool === noteTool) return `note by the ${role ?? 'user'}`;
  return kind === 'message' ? `${role ?? 'user'} message` : tool;
}

/** `pinned`, and by whom if that was another author; null without a pin. */
export function pinWords(memory: {
  readonly pinned?: boolean | undefined;
  readonly pinnedBy?: string | undefined;
}) {
  if (memory.pinnedBy !== undefined) return `pinned by ${memory.pinnedBy}`;
  return memory.pinned === true ? 'pinned' : null;
}

interface Spoken {
  readonly kind: string;
  readonly role?: string | null | undefined;
  readonly tool?: string | undefined;
}
