import * as v from 'valibot';
import {
  detailShape,
  hitShape,
  inForm,
  summaryShape,
  timelineShape,
  whyShape,
} from '../../core/rpc/index.ts';

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
  search: v.object({ hits: v.array(v.object({ ...hitShape.entries, why: v.optional(whyShape) })) }),
  why: v.object({ why: whyShape }),
  get: v.object({ summaries: v.array(v.object({ ...detailShape.entries, payload: v.unknown() })) }),
  recent: v.object({ summaries: v.array(summaryShape) }),
  sessions: v.object({ sessions: v.array(session) }),
  timeline: timelineShape,
  backfill: v.looseObject({
    scanned: v.number(),
    captured: v.number(),
    duplicates: v.number(),
    malformed: v.number(),
    unanswered: v.number(),
    ignored: v.number(),
    unreadable: v.array(v.string()),
    clients: v.optional(
      v.record(v.string(), v.object({ scanned: v.number(), captured: v.number(), duplicates: v.number() })),
      {},
    ),
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

export type SummaryReply = v.InferOutput<typeof summaryShape>;
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
