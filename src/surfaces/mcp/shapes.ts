import * as v from 'valibot';
import { isObject, noteTool } from '#core/event';
import { evidenceCharsMax, mcpIndexCharsMax, toolNameCharsMax } from '#core/limits';
import {
  detailShape,
  type edgeShape,
  hitShape,
  jsonShape,
  limitsShape,
  pinWords,
  shortSession,
  summaryShape,
  timelineShape,
  whatWords,
} from '#core/rpc';
import { harmless, oneLine } from '#core/text';
import { excerpts } from '#reading/talk';
import { fitting } from './record.ts';

/** The parts of the daemon's replies that the tools use. */
export const replies = {
  search: v.object({ ...limitsShape.entries, hits: v.array(hitShape) }),
  why: v.object({ why: jsonShape }),
  get: v.object({ summaries: v.array(v.object({ ...detailShape.entries, payload: jsonShape })) }),
  recent: v.object({ summaries: v.array(summaryShape) }),
  sessions: v.object({
    sessions: v.array(
      v.object({
        ...{ sessionId: v.string(), title: v.optional(v.string(), ''), lastTs: v.string() },
        ...{ client: v.optional(v.string()), device: v.optional(v.string()) },
      }),
    ),
  }),
  outline: v.object({ text: v.string() }),
  timeline: timelineShape,
  handoff: v.object({
    ...{ sessionId: v.string(), lines: v.array(v.string()) },
    ids: v.optional(v.array(v.number()), []),
  }),
} as const;

type Summary = v.InferOutput<typeof summaryShape> & Partial<Pick<Hit, 'count' | 'state' | 'supersededBy'>>;
export type Hit = v.InferOutput<typeof replies.search>['hits'][number];
export type Detailed = v.InferOutput<typeof replies.get>['summaries'][number];

/** A memory in a list. What does not apply is left out. */
export const entry = v.object({
  id: v.number(),
  kind: summaryShape.entries.kind,
  role: v.optional(v.string()),
  tool: v.optional(v.string()),
  ts: v.string(),
  sessionId: v.optional(v.pipe(v.string(), v.description('short; accepted as a session'))),
  text: v.pipe(v.string(), v.description('… marks what is left out; mem_get has the rest')),
  pinned: v.optional(v.boolean()),
  pinnedBy: v.optional(v.pipe(v.string(), v.description('another person, who pinned this'))),
  author: v.optional(v.pipe(v.string(), v.description('another person, who recorded this'))),
  supersededBy: v.optional(v.pipe(v.number(), v.description('the newer memory that replaces it'))),
  count: v.optional(v.pipe(v.number(), v.description('equal ones; this is the newest'))),
  state: v.optional(v.pipe(v.string(), v.description('compared with the files as they are now'))),
});
export type Entry = v.InferOutput<typeof entry>;

export function entryOf(summary: Summary, text: string, tsChars = 16): Entry {
  const { id, kind, role, ts, tool, sessionId, pinned, supersededBy, count, state: stands } = summary;
  const verdict = stands?.verdict ?? 'unknown';
  return {
    id,
    kind,
    ...(kind === 'message' && { role: role ?? 'user' }),
    ...((kind === 'call' || tool === noteTool) && { tool: oneLine(tool, 40) }),
    ts: oneLine(ts, 40).slice(0, tsChars),
    ...(sessionId !== '' && { sessionId: shortSession(oneLine(sessionId, 200)) }),
    text,
    ...(pinned && { pinned }),
    ...peopleOf(summary),
    ...(supersededBy !== undefined && { supersededBy }),
    ...(count !== undefined && count > 1 && { count }),
    ...(!['current', 'unknown'].includes(verdict) && { state: oneLine(verdict, 20) }),
  };
}

/** The others who recorded and pinned it. */
function peopleOf({ author, pinnedBy }: Pick<Summary, 'author' | 'pinnedBy'>) {
  return {
    ...(author !== undefined && { author: oneLine(author, 80) }),
    ...(pinnedBy !== undefined && { pinnedBy: oneLine(pinnedBy, 80) }),
  };
}

/** `changed: 5 of 10 added lines are in src/a.ts`. */
export function stateWords({ verdict, detail }: NonNullable<Detailed['state']>): string {
  return `${oneLine(verdict, 20)}: ${oneLine(detail, stateCharsMax)}`;
}

const stateCharsMax = 160;

/** Its first sentences on one line. */
export function gist(text: string): string {
  return excerpts(harmless(text), new Set())(mcpIndexCharsMax);
}

/** The memories that replace or contradict this one, in at most `charsMax`. */
export function edgesOf({ edges }: Detailed, charsMax: number) {
  return fitting(edges, charsMax).map((one) => ({
    ...one,
    evidence: oneLine(one.evidence, evidenceCharsMax),
  }));
}

/** Where a memory comes from, whole, with harmless texts. */
export function provenanceOf(summary: Detailed, edgesCharsMax: number) {
  const { id, kind, role, turnId, ts, tool, sessionId, pinned } = summary;
  const { model, eventId, toolUseId, embedder, dimension } = summary;
  return {
    ...{ id, kind, pinned, embedder, dimension },
    ...(role != null && { role }),
    ...(turnId != null && { turnId: harmless(turnId) }),
    ...peopleOf(summary),
    ts: harmless(ts),
    tool: oneLine(tool, toolNameCharsMax),
    sessionId: harmless(sessionId),
    model: harmless(model),
    eventId: harmless(eventId),
    toolUseId: toolUseId === null ? null : harmless(toolUseId),
    ...(summary.state != null && {
      state: { verdict: summary.state.verdict, detail: oneLine(summary.state.detail, stateCharsMax) },
    }),
    edges: edgesOf(summary, edgesCharsMax),
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

/** An entry on one line: `#7 2026-11-20 Bash 38fb3e7a "text" (replaced by #8)`. The text is quoted as JSON. */
export function entryLine(one: Entry, last = ''): string {
  const { id, ts, text, sessionId, supersededBy, count, author, state: stands } = one;
  const pin = pinWords(one);
  const words = [`#${id}`, ts.slice(0, 10), whatWords(one), sessionId ?? '', JSON.stringify(text)];
  const notes = [
    ...(count === undefined ? [] : [`${count} equal`]),
    ...(pin === null ? [] : [pin]),
    ...(author === undefined ? [] : [`from ${author}`]),
    ...(stands === undefined ? [] : [stands]),
    ...(supersededBy === undefined ? [] : [`replaced by #${supersededBy}`]),
  ];
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return `${words.filter((word) => word !== '').join(' ')}${note}${last}`;
}

export const idArgument = positive(
  'must be the id of a memory, as in the results of mem_search',
  'From mem_search',
);

/** An optional count of 1 or more; the tool reduces it to its own limit. */
export function countArgument(description: string) {
  return v.optional(positive('must be a number', description));
}

export function textArgument(description: string, must = 'must be a text') {
  return v.optional(v.pipe(v.string(must), v.description(description)));
}

export function flagArgument(description: string) {
  return v.optional(v.pipe(v.boolean('must be true or false'), v.description(description)));
}

function positive(must: string, description: string) {
  return v.pipe(
    v.number(must),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be 1 or more'),
    v.description(description),
  );
}
