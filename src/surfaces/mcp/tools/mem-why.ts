import * as v from 'valibot';
import { isObject, type Json, own } from '../../../core/event/index.ts';
import { mcpEdgesCharsMax, mcpTermsMax, mcpWordsCharsMax } from '../../../core/limits.ts';
import { Failure } from '../../../core/platform/index.ts';
import { edgeShape, inForm, whyShape } from '../../../core/rpc/index.ts';
import { harmless, harmlessJson, oneLine } from '../record.ts';
import { type Detailed, edgeLine, edgesOf, entryLine, entryOf, idArgument, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

const provenance = v.object({
  id: v.number(),
  ts: v.string(),
  tool: v.string(),
  sessionId: v.string(),
  client: v.nullable(v.string()),
  eventId: v.string(),
  toolUseId: v.nullable(v.string()),
  model: v.pipe(v.string(), v.description('what made the text of the call')),
  embedder: v.nullable(v.string()),
  dimension: v.nullable(v.number()),
  pinned: v.boolean(),
  edges: v.array(edgeShape),
});

export const memWhy = tool({
  name: 'mem_why',
  title: 'Why a memory was found',
  description:
    'Explains a memory: the numbers that gave it its rank for a query, and where it comes from (call, session, assistant, summariser, what replaces or contradicts it). ' +
    'Use it when a hit surprises you, when two of them disagree, or to tell the user what an answer rests on.',
  input: v.object({
    id: v.pipe(idArgument, v.description('The id of a memory, as mem_search gives it')),
    query: v.optional(
      v.pipe(
        v.string('must be a text'),
        v.description('The query whose ranking is meant; without it only the provenance is given'),
      ),
    ),
  }),
  output: { why: v.nullable(whyShape), provenance },
  run: async ({ id, query }, daemon) => {
    const [found, explained] = await Promise.all([
      daemon.ask({ op: 'get', ids: [id] }),
      query === undefined ? null : daemon.ask({ op: 'why', id, query }),
    ]);
    const [summary] = inForm(replies.get, found).summaries;
    if (summary === undefined) throw new Failure('bad_request', `there is no memory with id ${id}`);
    const numbers = explained === null ? null : numbersOf(inForm(replies.why, explained).why);
    const from = provenanceOf(summary);
    return {
      structured: { why: numbers, provenance: from },
      lines: [
        entryLine(entryOf(summary)),
        ...(numbers === null ? [] : whyLines(numbers)),
        ...provenanceLines(from),
      ],
    };
  },
});

/** The terms come with the rarest first; those that say least are left out. */
function numbersOf(told: Json) {
  const { bm25, explanation, ...rest } = inForm(whyShape, harmlessJson(told));
  const { terms = [] } = bm25;
  return {
    ...rest,
    bm25: { ...bm25, terms: terms.slice(0, mcpTermsMax) },
    explanation: oneLine(explanation, mcpWordsCharsMax),
  };
}

function provenanceOf(summary: Detailed) {
  const { id, ts, tool: name, sessionId, eventId, toolUseId, model, embedder, dimension, pinned } = summary;
  const client: Json | undefined = isObject(summary.payload) ? own(summary.payload, 'client') : undefined;
  return {
    id,
    ts: harmless(ts),
    tool: harmless(name),
    sessionId: harmless(sessionId),
    client: typeof client === 'string' ? oneLine(client, 40) : null,
    eventId: harmless(eventId),
    toolUseId: toolUseId === null ? null : harmless(toolUseId),
    model: harmless(model),
    embedder,
    dimension,
    pinned,
    edges: edgesOf(summary, mcpEdgesCharsMax),
  };
}

function whyLines({
  bm25,
  vector,
  legs = {},
  decay,
  factors = {},
  rrf,
  explanation,
}: v.InferOutput<typeof whyShape>): string[] {
  const place = (rank: number | null): string => (rank === null ? 'not found' : `rank ${rank}`);
  const sum = [
    `bm25 ${bm25.contribution.toFixed(6)} (${place(bm25.rank)})`,
    `vector ${vector.contribution.toFixed(6)} (${place(vector.rank)})`,
    ...Object.entries(legs).map(
      ([name, leg]) => `${name} ${leg.contribution.toFixed(6)} (${place(leg.rank)})`,
    ),
  ];
  const product = [
    `decay ${decay.factor.toFixed(6)}`,
    ...Object.entries(factors).map(([name, value]) => `${name} ${value.toFixed(6)}`),
  ];
  return [
    `score ${rrf.score.toFixed(6)} (${place(rrf.rank)}) = (${sum.join(' + ')}) x ${product.join(' x ')}`,
    `in words: ${JSON.stringify(explanation)}`,
  ];
}

function provenanceLines(from: v.InferOutput<typeof provenance>): string[] {
  const { ts, tool: name, sessionId, client, eventId, toolUseId, model, embedder, dimension } = from;
  const event = JSON.stringify(eventId);
  const call = toolUseId === null ? event : `${event} (call ${JSON.stringify(toolUseId)})`;
  return [
    `recorded ${oneLine(ts, 30)} from ${oneLine(name, 40)} in session ${JSON.stringify(sessionId)} of ${client ?? 'an unknown assistant'}, event ${call}`,
    `text by ${oneLine(model, 60)}, vector by ${embedder === null ? 'none' : `${oneLine(embedder, 60)} (${dimension ?? 0} numbers)`}`,
    ...from.edges.map(edgeLine),
  ];
}
