import * as v from 'valibot';
import { inForm } from '../../core/rpc/index.ts';

const example = v.object({
  id: v.number(),
  tool: v.string(),
  ts: v.string(),
  text: v.string(),
  by: v.number(),
});
const group = v.object({
  reason: v.picklist(['superseded', 'duplicate']),
  count: v.number(),
  bytes: v.number(),
  examples: v.array(example),
});

/** The replies about what leaves the memory and comes back. */
const replies = {
  prune: v.object({
    groups: v.array(group),
    removed: v.number(),
    restoreFile: v.nullable(v.string()),
    left: v.number(),
  }),
  forget: v.object({ kept: v.optional(v.array(v.string()), []) }),
  import: v.object({
    events: v.number(),
    summaries: v.number(),
    edges: v.number(),
    prompts: v.number(),
    digests: v.number(),
    noted: v.number(),
    known: v.number(),
    stayed: v.number(),
    forgotten: v.number(),
    loose: v.number(),
    redacted: v.number(),
    bad: v.number(),
    badLines: v.array(v.object({ line: v.number(), reason: v.string() })),
  }),
  importProgress: v.object({ progress: v.object({ bytes: v.number(), bytesTotal: v.number() }) }),
} as const;

export type PruneReply = v.InferOutput<typeof replies.prune>;
export type ImportReply = v.InferOutput<typeof replies.import>;

/** A reply in its form. @throws Failure `bad_reply` when the daemon is of another version */
export function readArchive<K extends keyof typeof replies>(
  kind: K,
  reply: unknown,
): v.InferOutput<(typeof replies)[K]> {
  return inForm(replies[kind], reply);
}
