import * as v from 'valibot';
import { type JsonObject, memoryKinds } from '../../../core/event/index.ts';
import { mcpAnswerCharsMax, mcpHitsMax } from '../../../core/limits.ts';

import { hitShape, inForm } from '../../../core/rpc/index.ts';
import { fitting } from '../record.ts';
import { countArgument, entry, entryLine, entryOf, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

const kindMust = `must be ${memoryKinds.join(', ')}, or a list of these`;
const kindArgument = v.picklist(memoryKinds, kindMust);

function filter(description: string) {
  return v.optional(v.pipe(v.string('must be a text'), v.description(description)));
}

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
      v.pipe(
        v.string('must be the id of a session'),
        v.description('Only this session: its id, the first 4 or more characters, or "last"'),
      ),
    ),
    tool: filter('Only calls of this tool, in any case'),
    since: filter('Only since then: 2026-02-12, 2w, 3d, yesterday, "last week"'),
    until: filter('Only until then; a day is included'),
    file: filter('Only what concerns this file: a path or the end of one'),
    client: filter('Only what this assistant recorded: claude-code, codex, ...'),
    failed: v.optional(v.pipe(v.boolean('must be true or false'), v.description('Only calls that failed'))),
    anytime: v.optional(
      v.pipe(
        v.boolean('must be true or false'),
        v.description('A date in the query is no limit. Without it, such a date limits the hits'),
      ),
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
        supersededBy: v.optional(v.pipe(v.number(), v.description('the newer memory that replaces it'))),
        count: v.optional(
          v.pipe(v.number(), v.description('so many equal results, of which this is the newest')),
        ),
      }),
    ),
    dates: v.optional(v.pipe(v.string(), v.description('the date in the query that limits the hits'))),
    leftOut: v.optional(v.pipe(v.number(), v.description('hits that did not fit'))),
  },
  run: async ({ query, k, kind, start = false, ...filters }, daemon) => {
    const request = {
      op: 'search',
      query,
      ...(k === undefined ? {} : { topK: Math.min(k, mcpHitsMax) }),
      ...given(filters),
      ...(kind === undefined ? {} : { kinds: [kind].flat() }),
    };
    const reply = await (start ? daemon.askStarting(request) : daemon.ask(request));
    const { hits: all, dates, topK } = inForm(replies.search, reply);
    const found = all.map((hit) => {
      const { rank, score, supersededBy, count } = hit;
      return {
        ...entryOf(hit),
        ...{ rank, score },
        ...(supersededBy === undefined ? {} : { supersededBy }),
        ...(count === undefined ? {} : { count }),
      };
    });
    const hits = fitting(found.slice(0, mcpHitsMax), mcpAnswerCharsMax);
    const leftOut = found.length - hits.length;
    const more = leftOut > 0 ? ` ${leftOut} more did not fit: use a narrower query.` : '';
    const limited =
      (dates === undefined ? '' : ` Only ${dates.text}, from the query: "anytime" lifts it.`) +
      (topK === undefined ? '' : ` The setting topK limits a search to ${topK} hits.`);
    return {
      structured: {
        hits,
        ...(dates === undefined ? {} : { dates: dates.text }),
        ...(leftOut > 0 ? { leftOut } : {}),
      },
      lines: hits.map((hit) =>
        entryLine(
          hit,
          (hit.count === undefined ? '' : ` (${hit.count} times)`) +
            (hit.supersededBy === undefined ? '' : ` (replaced by #${hit.supersededBy})`),
        ),
      ),
      hint:
        hits.length > 0
          ? `Read whole memories with mem_get and their ids, what happened around one with mem_timeline, and why it was found with mem_why.${more}${limited}`
          : `No memory matches: nothing fits these words. Try others, a path, a part of an error message, or fewer filters.${limited}`,
    };
  },
});

function given(filters: Readonly<Record<string, string | boolean | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
