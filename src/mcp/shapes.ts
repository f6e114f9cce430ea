import * as v from 'valibot';
import type { Json, JsonObject } from '../event/index.ts';
import { evidenceCharsMax, mcpIndexCharsMax, toolNameCharsMax } from '../limits.ts';
import { Failure } from '../platform/index.ts';
import { fitting, harmless, oneLine } from './record.ts';

const json = v.custom<Json>((value) => value !== undefined);
const rank = v.nullable(v.number());
const leg = v.looseObject({ rank, contribution: v.number() });
const edge = v.object({
  from: v.number(),
  to: v.number(),
  kind: v.string(),
  evidence: v.string(),
  ts: v.string(),
});
const summary = v.object({
  id: v.number(),
  eventId: v.string(),
  toolUseId: v.nullable(v.string()),
  text: v.string(),
  model: v.string(),
  ts: v.string(),
  tool: v.string(),
  sessionId: v.string(),
  pinned: v.boolean(),
});

/** An edge between two memories; `from` is the newer. */
export { edge };

/** The numbers of a rank; their sum and product is `rrf.score`. */
export const why = v.looseObject({
  id: v.number(),
  bm25: v.looseObject({ ...leg.entries, score: rank, terms: v.optional(v.array(v.unknown())) }),
  vector: v.looseObject({ ...leg.entries, similarity: rank }),
  legs: v.optional(v.record(v.string(), leg)),
  decay: v.looseObject({ ageDays: v.number(), factor: v.number(), pinned: v.boolean() }),
  factors: v.optional(v.record(v.string(), v.number())),
  rrf: v.looseObject({ score: v.number(), rank }),
  explanation: v.string(),
});

/** The parts of the daemon's replies that the tools use. */
export const replies = {
  search: v.object({
    hits: v.array(
      v.object({
        ...summary.entries,
        rank: v.number(),
        score: v.number(),
        supersededBy: v.optional(v.number()),
      }),
    ),
  }),
  why: v.object({ why: json }),
  get: v.object({
    summaries: v.array(
      v.object({
        ...summary.entries,
        payload: json,
        embedder: v.nullable(v.string()),
        dimension: v.nullable(v.number()),
        edges: v.array(edge),
      }),
    ),
  }),
  timeline: v.object({ before: v.array(summary), summary, after: v.array(summary) }),
} as const;

export type Summary = v.InferOutput<typeof summary>;
export type Detailed = v.InferOutput<typeof replies.get>['summaries'][number];
export type Edge = v.InferOutput<typeof edge>;

/** A memory in a list: enough to choose by. */
export const entry = v.object({
  id: v.number(),
  ts: v.string(),
  tool: v.string(),
  sessionId: v.string(),
  text: v.pipe(v.string(), v.description(`the first ${mcpIndexCharsMax} characters; mem_get has the whole`)),
  pinned: v.boolean(),
});
export type Entry = v.InferOutput<typeof entry>;

export function entryOf({ id, ts, tool, sessionId, text, pinned }: Summary): Entry {
  return {
    id,
    ts: harmless(ts),
    tool: oneLine(tool, toolNameCharsMax),
    sessionId: harmless(sessionId),
    text: oneLine(text, mcpIndexCharsMax),
    pinned,
  };
}

/** A memory's edges as far as they fit in `charsMax`, their evidence harmless. */
export function edgesOf({ edges }: Detailed, charsMax: number): Edge[] {
  return fitting(edges, charsMax).map((one) => ({
    ...one,
    evidence: oneLine(one.evidence, evidenceCharsMax),
  }));
}

export function edgeLine({ from, to, kind, evidence }: Edge): string {
  return `edge: #${from} ${kind} #${to}: ${JSON.stringify(evidence)}`;
}

/** An entry on one line. The text is quoted as JSON. */
export function entryLine({ id, ts, tool, text, pinned }: Entry, more = ''): string {
  const date = oneLine(ts, 40).slice(0, 10);
  return `#${id} ${date} ${oneLine(tool, 40)} ${JSON.stringify(text)}${pinned ? ' (pinned)' : ''}${more}`;
}

export const idArgument = v.pipe(
  v.number('must be the number of a memory, as mem_search gives it'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be 1 or more'),
);

/** `value` in the form of `schema`. @throws Failure `bad_reply` when the daemon is of another version */
export function inForm<S extends v.GenericSchema>(schema: S, value: Json | JsonObject): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new Failure('bad_reply', "The memory's answer has another form than this server knows", {
    repair: 'the running daemon may be of another version: the user can run `memd restart`',
  });
}
