import * as v from 'valibot';
import { Failure } from '../platform/index.ts';

const summaryFields = {
  id: v.number(),
  eventId: v.string(),
  toolUseId: v.nullable(v.string()),
  text: v.string(),
  model: v.string(),
  ts: v.string(),
  tool: v.string(),
  sessionId: v.string(),
  pinned: v.boolean(),
};

const summary = v.object(summaryFields);
const edge = v.object({
  from: v.number(),
  to: v.number(),
  kind: v.string(),
  evidence: v.string(),
  ts: v.string(),
});
const leg = v.looseObject({ rank: v.nullable(v.number()), contribution: v.number() });

const session = v.object({
  sessionId: v.string(),
  client: v.string(),
  events: v.number(),
  errors: v.number(),
  firstTs: v.string(),
  lastTs: v.string(),
  digest: v.nullable(v.string()),
});

/** The parts of the daemon's replies that commands print. */
export const replies = {
  search: v.object({
    hits: v.array(
      v.object({
        ...summaryFields,
        rank: v.number(),
        score: v.number(),
        supersededBy: v.optional(v.number()),
      }),
    ),
  }),
  why: v.object({
    why: v.looseObject({
      id: v.number(),
      bm25: v.looseObject({ ...leg.entries, score: v.nullable(v.number()) }),
      vector: v.looseObject({ ...leg.entries, similarity: v.nullable(v.number()) }),
      decay: v.looseObject({ ageDays: v.number(), factor: v.number(), pinned: v.boolean() }),
      rrf: v.looseObject({ score: v.number(), rank: v.nullable(v.number()) }),
      factors: v.optional(v.record(v.string(), v.number())),
      legs: v.optional(v.record(v.string(), leg)),
      explanation: v.string(),
    }),
  }),
  get: v.object({
    summaries: v.array(
      v.object({
        ...summaryFields,
        payload: v.unknown(),
        embedder: v.nullable(v.string()),
        dimension: v.nullable(v.number()),
        edges: v.array(edge),
      }),
    ),
  }),
  recent: v.object({ summaries: v.array(summary) }),
  sessions: v.object({ sessions: v.array(session) }),
  timeline: v.object({ before: v.array(summary), summary, after: v.array(summary) }),
  backfill: v.looseObject({
    scanned: v.number(),
    captured: v.number(),
    duplicates: v.number(),
    malformed: v.number(),
    unanswered: v.number(),
    ignored: v.number(),
    unreadable: v.array(v.string()),
  }),
  backfillProgress: v.object({
    progress: v.object({
      files: v.number(),
      filesTotal: v.number(),
      captured: v.number(),
      duplicates: v.number(),
    }),
  }),
} as const;

export type SummaryReply = v.InferOutput<typeof summary>;
export type SessionReply = v.InferOutput<typeof session>;
export type HitReply = v.InferOutput<typeof replies.search>['hits'][number];
export type WhyReply = v.InferOutput<typeof replies.why>['why'];

/** A reply in its form. @throws Failure `bad_reply` when the daemon is of another version */
export function read<K extends keyof typeof replies>(
  kind: K,
  reply: unknown,
): v.InferOutput<(typeof replies)[K]> {
  return inForm(replies[kind], reply);
}

/** A reply in the form that `schema` gives. @throws Failure `bad_reply` when the daemon is of another version */
export function inForm<S extends v.GenericSchema>(schema: S, reply: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, reply);
  if (result.success) return result.output;
  throw new Failure('bad_reply', `the daemon's answer has another form than this command knows`, {
    repair: 'run: memd restart (the running daemon may be of an older version)',
  });
}
