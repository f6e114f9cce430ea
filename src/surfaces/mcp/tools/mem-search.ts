import * as v from 'valibot';
import { memoryKinds } from '../../../core/event/index.ts';
import { mcpAnswerCharsMax, mcpHitsMax } from '../../../core/limits.ts';
import { hitShape, inForm } from '../../../core/rpc/index.ts';
import { fitting } from '../record.ts';
import {
  countArgument,
  entry,
  entryLine,
  entryOf,
  entryState,
  replies,
  stateMark,
  stateOf,
} from '../shapes.ts';
import { tool } from '../tool.ts';

const kindMust = `must be ${memoryKinds.join(', ')}, or a list of these`;
const kindArgument = v.picklist(memoryKinds, kindMust);

export const memSearch = tool({
  name: 'mem_search',
  title: 'Search the memory of this project',
  description:
    'Searches earlier sessions of this project by words and by meaning: what the user and assistants said (requests, reasons, decisions, conclusions), ' +
    'what assistants did (commands and their results, edits, errors), and whole sessions. Reasons and decisions are mostly in messages: kind "message" finds only those. ' +
    'Use it before you redo work or repeat a command that may have failed, when the user refers to earlier work ("as we did", "again", "last time"), and when an error looks familiar.',
  input: v.object({
    query: v.pipe(
      v.string('must be a text: words, a path, an identifier, a part of an error message'),
      v.description('What to search for: words, a path, an identifier, a part of an error message'),
    ),
    k: countArgument(`The number of hits, at most ${mcpHitsMax}`),
    session: v.optional(
      v.pipe(v.string('must be the id of a session'), v.description('Only memories of this session')),
    ),
    kind: v.optional(
      v.pipe(
        v.union([kindArgument, v.pipe(v.array(kindArgument), v.minLength(1))], kindMust),
        v.description('Only tool calls, only messages (what was said: reasons, decisions), or only sessions'),
      ),
    ),
    start: v.optional(
      v.pipe(
        v.boolean('must be true or false'),
        v.description(
          'Start the memory if it is not running. Use it only after a call has failed for that reason',
        ),
      ),
    ),
  }),
  output: {
    hits: v.array(
      v.object({
        ...entry.entries,
        ...v.pick(hitShape, ['rank', 'score']).entries,
        state: entryState,
        supersededBy: v.optional(v.pipe(v.number(), v.description('the newer memory that replaces it'))),
      }),
    ),
    leftOut: v.optional(v.pipe(v.number(), v.description('hits that did not fit'))),
  },
  run: async ({ query, k, session, kind, start = false }, daemon) => {
    const request = {
      op: 'search',
      query,
      ...(k === undefined ? {} : { topK: Math.min(k, mcpHitsMax) }),
      ...(session === undefined ? {} : { session }),
      ...(kind === undefined ? {} : { kinds: [kind].flat() }),
    };
    const reply = await (start ? daemon.askStarting(request) : daemon.ask(request));
    const found = inForm(replies.search, reply).hits.map((hit) => {
      const { rank, score, supersededBy } = hit;
      return {
        ...entryOf(hit),
        rank,
        score,
        ...stateOf(hit.state),
        ...(supersededBy === undefined ? {} : { supersededBy }),
      };
    });
    const hits = fitting(found.slice(0, mcpHitsMax), mcpAnswerCharsMax);
    const leftOut = found.length - hits.length;
    const more = leftOut > 0 ? ` ${leftOut} more did not fit: use a narrower query.` : '';
    return {
      structured: { hits, ...(leftOut > 0 ? { leftOut } : {}) },
      lines: hits.map((hit) =>
        entryLine(
          hit,
          `${hit.supersededBy === undefined ? '' : ` (replaced by #${hit.supersededBy})`}${stateMark(hit.state)}`,
        ),
      ),
      hint:
        hits.length > 0
          ? `Read whole memories with mem_get and their ids, what happened around one with mem_timeline, and why it was found with mem_why.${more}`
          : 'No memory matches.',
    };
  },
});
