import * as v from 'valibot';
import { mcpEdgesCharsMax, mcpGetCharsMax, mcpIdsMax, mcpPayloadCharsMax } from '../../../core/limits.ts';
import { detailShape, inForm } from '../../../core/rpc/index.ts';
import { fitting, oneLine, shortened } from '../record.ts';
import { type Detailed, detailOf, edgeLine, idArgument, replies, whatWords } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memGet = tool({
  name: 'mem_get',
  title: 'Read whole memories',
  description:
    'Returns whole memories: of a call its summary and its input and output, of a message its whole text, of a session its digest, and the memories that replace or contradict it. ' +
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
        payload: v.optional(
          v.pipe(v.unknown(), v.description('of a call: redacted, long texts cut in the middle')),
        ),
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
      ...(summaries.some(({ kind }) => kind === 'message')
        ? ['mem_timeline with the id of a message shows the calls of its turn.']
        : []),
      ...(leftOut.length > 0 ? [`Did not fit, ask again: ${numbers(leftOut)}.`] : []),
    ];
    return { structured: { summaries, missing }, lines: summaries.flatMap(lines), hint: hints.join(' ') };
  },
});

/** `share`: this memory's part of the room for calls and edges. */
function wholeOf(summary: Detailed, share: number) {
  const charsMax = Math.floor(share * mcpPayloadCharsMax);
  const detail = detailOf(summary, share * mcpEdgesCharsMax);
  if (summary.kind !== 'call') {
    const text = shortened(detail.text, charsMax);
    return { ...detail, text: typeof text === 'string' ? text : detail.text };
  }
  return { ...detail, payload: shortened(summary.payload, charsMax) };
}

function lines(summary: ReturnType<typeof wholeOf>): string[] {
  const { id, ts, sessionId, turnId, text, model, pinned, edges, state } = summary;
  const turn = turnId == null ? '' : `, turn ${JSON.stringify(turnId)}`;
  return [
    `#${id} ${oneLine(ts, 30)} ${whatWords(summary)}, session ${JSON.stringify(sessionId)}${turn}, summarised by ${oneLine(model, 60)}${pinned ? ', pinned' : ''}`,
    `text: ${JSON.stringify(text)}`,
    ...(state == null ? [] : [`state: ${state.verdict}, ${JSON.stringify(state.detail)}`]),
    ...edges.map(edgeLine),
    ...('payload' in summary ? [`call: ${JSON.stringify(summary.payload)}`] : []),
  ];
}
