import * as v from 'valibot';
import type { Json } from '../../core/event/index.ts';
import { evidenceCharsMax, mcpIndexCharsMax, toolNameCharsMax } from '../../core/limits.ts';
import {
  detailShape,
  type edgeShape,
  hitShape,
  type summaryShape,
  timelineShape,
} from '../../core/rpc/index.ts';
import { fitting, harmless, oneLine } from './record.ts';

const json = v.custom<Json>((value) => value !== undefined);
/** The parts of the daemon's replies that the tools use. */
export const replies = {
  search: v.object({ hits: v.array(hitShape) }),
  why: v.object({ why: json }),
  get: v.object({ summaries: v.array(v.object({ ...detailShape.entries, payload: json })) }),
  timeline: timelineShape,
} as const;

type Summary = v.InferOutput<typeof summaryShape>;
export type Detailed = v.InferOutput<typeof replies.get>['summaries'][number];
type Edge = v.InferOutput<typeof edgeShape>;

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
