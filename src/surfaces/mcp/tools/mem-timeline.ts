import * as v from 'valibot';
import { mcpAnswerCharsMax, mcpWindowMax } from '../../../core/limits.ts';
import { inForm } from '../../../core/rpc/index.ts';
import { fitting } from '../record.ts';
import { entry, entryLine, entryOf, idArgument, replies } from '../shapes.ts';
import { tool } from '../tool.ts';

export const memTimeline = tool({
  name: 'mem_timeline',
  title: 'What happened around a memory',
  description:
    'Gives what was done just before and just after a memory, in order. ' +
    'Use it to learn what led to an error or a decision, or what was done about it then.',
  input: v.object({
    id: v.pipe(idArgument, v.description('The id of a memory, as mem_search gives it')),
    window: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.description(`At most so many on either side, ${mcpWindowMax} in all; 5 by default`),
      ),
    ),
  }),
  output: { before: v.array(entry), summary: entry, after: v.array(entry) },
  run: async ({ id, window = 5 }, daemon) => {
    const request = { op: 'timeline', id, window: Math.min(window, mcpWindowMax) };
    const found = inForm(replies.timeline, await daemon.ask(request));
    const summary = entryOf(found.summary);
    // The nearest stay where not all fit.
    const before = fitting(found.before.map(entryOf).reverse(), mcpAnswerCharsMax / 2).reverse();
    const after = fitting(found.after.map(entryOf), mcpAnswerCharsMax / 2);
    return {
      structured: { before, summary, after },
      lines: [
        ...before.map((one) => entryLine(one)),
        entryLine(summary, ' <- this one'),
        ...after.map((one) => entryLine(one)),
      ],
      hint: 'The oldest comes first. Whole memories: mem_get with their ids.',
    };
  },
});
