import * as v from 'valibot';
import { mcpEdgesCharsMax, mcpGetCharsMax, mcpIdsMax, mcpPayloadCharsMax } from '../../../core/limits.ts';
import { detailShape, inForm } from '../../../core/rpc/index.ts';
import { fitting, oneLine, shortened } from '../record.ts';
import { type Detailed, detailOf, edgeLine, idArgument, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memGet = tool({
  name: 'mem_get',
  title: 'Read whole memories',
  description:
    'Returns whole memories: the full text, the recorded call with its input and output, and the memories that replace or contradict it. ' +
    'Use it after mem_search, for the few hits that matter, before you rely on one of them.',
  input: v.object({
    ids: v.pipe(
      v.array(idArgument, 'must be a list of ids, as in the results of mem_search'),
      v.minLength(1, 'must have at least one id'),
      v.maxLength(mcpIdsMax, `must have at most ${mcpIdsMax} ids`),
      v.description('Ids of memories, as in the results of mem_search'),
    ),
  }),
  output: {
    summaries: v.array(
      v.object({
        ...detailShape.entries,
        payload: v.pipe(v.unknown(), v.description('the call, redacted, long texts cut in the middle')),
      }),
    ),
    missing: v.pipe(v.array(v.number()), v.description('ids without a memory')),
  },
  run: async ({ ids }, daemon) => {
    const found = inForm(replies.get, await daemon.ask({ op: 'get', ids })).summaries;
    const all = found.map((summary) => wholeOf(summary, 1 / found.length));
    const summaries = fitting(all, mcpGetCharsMax);
    const missing = ids.filter((id) => !found.some((summary) => summary.id === id));
    const leftOut = all.slice(summaries.length).map(({ id }) => id);
    const numbers = (list: readonly number[]): string => list.map((id) => `#${id}`).join(', ');
    const hints = [
      ...(missing.length > 0 ? [`There is no memory ${numbers(missing)}.`] : []),
      ...(leftOut.length > 0 ? [`Did not fit, ask again: ${numbers(leftOut)}.`] : []),
    ];
    return { structured: { summaries, missing }, lines: summaries.flatMap(lines), hint: hints.join(' ') };
  },
});

/** `share`: this memory's part of the room for calls and edges. */
function wholeOf(summary: Detailed, share: number) {
  return {
    ...detailOf(summary, share * mcpEdgesCharsMax),
    payload: shortened(summary.payload, Math.floor(share * mcpPayloadCharsMax)),
  };
}

function lines(summary: ReturnType<typeof wholeOf>): string[] {
  const { id, ts, tool: name, sessionId, text, model, pinned, payload, edges } = summary;
  return [
    `#${id} ${oneLine(ts, 30)} ${name}, session ${JSON.stringify(sessionId)}, summarised by ${oneLine(model, 60)}${pinned ? ', pinned' : ''}`,
    `text: ${JSON.stringify(text)}`,
    ...edges.map(edgeLine),
    `call: ${JSON.stringify(payload)}`,
  ];
}
