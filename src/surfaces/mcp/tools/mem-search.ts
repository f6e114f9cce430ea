import * as v from 'valibot';
import { mcpAnswerCharsMax, mcpHitsMax } from '../../../core/limits.ts';
import { inForm } from '../../../core/rpc/index.ts';
import { fitting } from '../record.ts';
import { entry, entryLine, entryOf, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memSearch = tool({
  name: 'mem_search',
  title: 'Search the memory of this project',
  description:
    'Searches what assistants did in this project before, by words and by meaning: commands and how they ended, edits, errors, decisions. ' +
    'Use it before redoing work or repeating a command that may have failed, when the user refers to earlier work ("as we did", "again", "last time"), and when an error looks familiar.',
  input: v.object({
    query: v.pipe(
      v.string('must be a text: words, a path, an identifier, a piece of an error'),
      v.description('What to look for: words, a path, an identifier, a piece of an error message'),
    ),
    k: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.description(`At most so many hits, ${mcpHitsMax} in all`),
      ),
    ),
    session: v.optional(
      v.pipe(v.string('must be the id of a session'), v.description('Only what was done in this session')),
    ),
    start: v.optional(
      v.pipe(
        v.boolean('must be true or false'),
        v.description('Start the memory first if it is not running; only after a call has failed for that'),
      ),
    ),
  }),
  output: {
    hits: v.array(
      v.object({
        ...entry.entries,
        rank: v.number(),
        score: v.number(),
        supersededBy: v.optional(v.pipe(v.number(), v.description('the newer memory that replaces it'))),
      }),
    ),
    leftOut: v.optional(v.pipe(v.number(), v.description('hits that did not fit'))),
  },
  run: async ({ query, k, session, start = false }, daemon) => {
    const request = {
      op: 'search',
      query,
      ...(k === undefined ? {} : { topK: Math.min(k, mcpHitsMax) }),
      ...(session === undefined ? {} : { session }),
    };
    const reply = await (start ? daemon.askStarting(request) : daemon.ask(request));
    const found = inForm(replies.search, reply).hits.map((hit) => {
      const { rank, score, supersededBy } = hit;
      return { ...entryOf(hit), rank, score, ...(supersededBy === undefined ? {} : { supersededBy }) };
    });
    const hits = fitting(found.slice(0, mcpHitsMax), mcpAnswerCharsMax);
    const leftOut = found.length - hits.length;
    const more = leftOut > 0 ? ` ${leftOut} more did not fit: ask more narrowly.` : '';
    return {
      structured: { hits, ...(leftOut > 0 ? { leftOut } : {}) },
      lines: hits.map((hit) =>
        entryLine(hit, hit.supersededBy === undefined ? '' : ` (replaced by #${hit.supersededBy})`),
      ),
      hint:
        hits.length > 0
          ? `Whole memories: mem_get with their ids. Before and after one: mem_timeline. Why it was found: mem_why.${more}`
          : 'Nothing in the memory matches.',
    };
  },
});
