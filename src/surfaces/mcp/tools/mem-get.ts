import * as v from 'valibot';
import {
  mcpEdgesCharsMax,
  mcpGetCharsMax,
  mcpIdsMax,
  mcpPayloadCharsMax,
  summaryCharsMax,
} from '../../../core/limits.ts';
import { edgeShape, inForm } from '../../../core/rpc/index.ts';
import { fitting, harmless, oneLine, shortened } from '../record.ts';
import { type Detailed, edgeLine, edgesOf, entry, entryOf, idArgument, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memGet = tool({
  name: 'mem_get',
  title: 'Read memories whole',
  description:
    'Gives memories whole: the full text, the call that it was made of with its input and output, and what replaces or contradicts it. ' +
    'Use it after mem_search, for the few hits that matter, before you rely on what one of them says.',
  input: v.object({
    ids: v.pipe(
      v.array(idArgument, 'must be a list of ids, as mem_search gives them'),
      v.minLength(1, 'must name one memory at least'),
      v.maxLength(mcpIdsMax, `must be ${mcpIdsMax} ids at most`),
      v.description('Ids of memories, as mem_search gives them'),
    ),
  }),
  output: {
    summaries: v.array(
      v.object({
        ...entry.entries,
        text: v.string(),
        model: v.string(),
        eventId: v.string(),
        toolUseId: v.nullable(v.string()),
        payload: v.pipe(v.unknown(), v.description('the call, redacted, long texts cut in the middle')),
        embedder: v.nullable(v.string()),
        dimension: v.nullable(v.number()),
        edges: v.array(edgeShape),
      }),
    ),
    missing: v.pipe(v.array(v.number()), v.description('ids that there is no memory of')),
  },
  run: async ({ ids }, daemon) => {
    const found = inForm(replies.get, await daemon.ask({ op: 'get', ids })).summaries;
    const all = found.map((summary) => detailsOf(summary, 1 / found.length));
    const summaries = fitting(all, mcpGetCharsMax);
    const missing = ids.filter((id) => !found.some((summary) => summary.id === id));
    const numbers = (list: readonly number[]): string => list.map((id) => `#${id}`).join(', ');
    return {
      structured: { summaries, missing },
      lines: summaries.flatMap(detailLines),
      hint: [
        missing.length > 0 ? `There is no memory ${numbers(missing)}.` : '',
        summaries.length < all.length
          ? `Did not fit, ask again: ${numbers(all.slice(summaries.length).map(({ id }) => id))}.`
          : '',
      ]
        .filter(Boolean)
        .join(' '),
    };
  },
});

/** `share`: the part of what calls and edges may take that is this memory's. */
function detailsOf(summary: Detailed, share: number) {
  const { model, eventId, toolUseId, embedder, dimension, payload } = summary;
  return {
    ...entryOf(summary),
    text: oneLine(summary.text, summaryCharsMax),
    model: harmless(model),
    eventId: harmless(eventId),
    toolUseId: toolUseId === null ? null : harmless(toolUseId),
    payload: shortened(payload, Math.floor(share * mcpPayloadCharsMax)),
    embedder,
    dimension,
    edges: edgesOf(summary, share * mcpEdgesCharsMax),
  };
}

function detailLines(summary: ReturnType<typeof detailsOf>): string[] {
  const { id, ts, tool, sessionId, text, model, pinned, payload, edges } = summary;
  return [
    `#${id} ${oneLine(ts, 30)} ${tool}, session ${JSON.stringify(sessionId)}, told by ${oneLine(model, 60)}${pinned ? ', pinned' : ''}`,
    `text: ${JSON.stringify(text)}`,
    ...edges.map(edgeLine),
    `call: ${JSON.stringify(payload)}`,
  ];
}
