import * as v from 'valibot';
import { isObject, type Json } from '../../core/event/index.ts';
import { evidenceCharsMax, mcpIndexCharsMax, summaryCharsMax, toolNameCharsMax } from '../../core/limits.ts';
import { detailShape, type edgeShape, hitShape, summaryShape, timelineShape } from '../../core/rpc/index.ts';
import { fitting, harmless, oneLine } from './record.ts';

const json = v.custom<Json>((value) => value !== undefined);

/** The parts of the daemon's replies that the tools use. */
export const replies = {
  search: v.object({ hits: v.array(hitShape) }),
  why: v.object({ why: json }),
  get: v.object({ summaries: v.array(v.object({ ...detailShape.entries, payload: json })) }),
  timeline: timelineShape,
  handoff: v.object({ sessionId: v.string(), lines: v.array(v.string()) }),
} as const;

type Summary = v.InferOutput<typeof summaryShape>;
export type Detailed = v.InferOutput<typeof replies.get>['summaries'][number];

/** A memory in a list. */
export const entry = v.object({
  ...v.pick(summaryShape, ['id', 'kind', 'role', 'turnId', 'ts', 'tool', 'sessionId', 'pinned']).entries,
  text: v.pipe(v.string(), v.description(`the first ${mcpIndexCharsMax} characters; mem_get has the whole`)),
});
export type Entry = v.InferOutput<typeof entry>;

export function entryOf({ id, kind, role, turnId, ts, tool, sessionId, text, pinned }: Summary): Entry {
  return {
    id,
    kind,
    ...(role != null && { role }),
    ...(turnId != null && { turnId: harmless(turnId) }),
    ts: harmless(ts),
    tool: oneLine(tool, toolNameCharsMax),
    sessionId: harmless(sessionId),
    pinned,
    text: oneLine(text, mcpIndexCharsMax),
  };
}

/** Everything about a memory but its payload, with harmless texts; its edges use at most `edgesCharsMax`. */
export function detailOf(summary: Detailed, edgesCharsMax: number) {
  const { payload: _payload, text, model, eventId, toolUseId, embedder, dimension, edges } = summary;
  return {
    ...entryOf(summary),
    text: summary.kind === 'message' ? harmless(text) : oneLine(text, summaryCharsMax),
    model: harmless(model),
    eventId: harmless(eventId),
    toolUseId: toolUseId === null ? null : harmless(toolUseId),
    embedder,
    dimension,
    edges: fitting(edges, edgesCharsMax).map((one) => ({
      ...one,
      evidence: oneLine(one.evidence, evidenceCharsMax),
    })),
  };
}

/** The assistant that made the call, or null. */
export function clientOf({ payload }: Detailed): string | null {
  const client = isObject(payload) ? payload.client : undefined;
  return typeof client === 'string' ? oneLine(client, 40) : null;
}

export function edgeLine({ from, to, kind, evidence }: v.InferOutput<typeof edgeShape>): string {
  return `edge: #${from} ${kind} #${to}: ${JSON.stringify(evidence)}`;
}

/** The tool of a call, or `user message`, `assistant message`, `session`. */
export function whatWords({ kind, role, tool }: Pick<Entry, 'kind' | 'role' | 'tool'>): string {
  if (kind === 'session') return 'session';
  return kind === 'message' ? `${role ?? 'user'} message` : oneLine(tool, 40);
}

/** An entry on one line. The text is quoted as JSON. */
export function entryLine({ id, ts, text, pinned, ...what }: Entry, more = ''): string {
  const date = oneLine(ts, 40).slice(0, 10);
  return `#${id} ${date} ${whatWords(what)} ${JSON.stringify(text)}${pinned ? ' (pinned)' : ''}${more}`;
}

export const idArgument = v.pipe(
  v.number('must be the id of a memory, as in the results of mem_search'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be 1 or more'),
  v.description('The id of a memory, as in the results of mem_search'),
);

/** An optional count of 1 or more; the tool reduces it to its own limit. */
export function countArgument(description: string) {
  return v.optional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be 1 or more'),
      v.description(description),
    ),
  );
}
