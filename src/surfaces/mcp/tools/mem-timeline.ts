import * as v from 'valibot';
import { mcpAnswerCharsMax, mcpWindowMax } from '#core/limits';
import { inForm } from '#core/rpc';
import { fitting } from '../record.ts';
import {
  countArgument,
  type Entry,
  entry,
  entryLine,
  entryOf,
  gist,
  idArgument,
  replies,
} from '../shapes.ts';
import { tool } from '../tool.ts';

export const memTimeline = tool({
  name: 'mem_timeline',
  title: 'What happened around a memory',
  description:
    'Returns what was said and done around a memory, in order; for a message, its whole turn. ' +
    'Use it to find what led to an error or a decision.',
  input: v.object({
    id: idArgument,
    window: countArgument(`Memories on each side, at most ${mcpWindowMax}; default 5`),
  }),
  output: { before: v.array(entry), summary: entry, after: v.array(entry) },
  run: async ({ id, window }, daemon) => {
    const sides = window === undefined ? {} : { window: Math.min(window, mcpWindowMax) };
    const request = { op: 'timeline', id, ...sides };
    const found = inForm(replies.timeline, await daemon.ask(request));
    const summary = entryOf(found.summary, gist(found.summary.text));
    // All are of one session.
    const around = (one: typeof found.summary): Entry => entryOf({ ...one, sessionId: '' }, gist(one.text));
    // If not all fit, the nearest ones stay.
    const before = fitting(found.before.map(around).reverse(), mcpAnswerCharsMax / 2).reverse();
    const after = withOutcome(found.after.map(around), mcpAnswerCharsMax / 2);
    return {
      structured: { before, summary, after },
      lines: [
        ...before.map((one) => entryLine(one)),
        entryLine(summary, ' <- this one'),
        ...after.map((one) => entryLine(one)),
      ],
      ids: [...before, summary, ...after].map((one) => one.id),
      hint: `The oldest comes first. More: mem_get {ids}.${furtherWords(before[0], after.at(-1))}`,
    };
  },
});

/** How to go on from the ends of what was shown. */
function furtherWords(first: Entry | undefined, last: Entry | undefined): string {
  const ends = [first, last].flatMap((end) =>
    end === undefined ? [] : [`{"id": ${end.id}, "window": ${mcpWindowMax}}`],
  );
  return ends.length === 0 ? '' : ` Before and after that: mem_timeline ${ends.join(' or ')}.`;
}

/** The nearest ones that fit. If the last one is a message, it stays too: it is the outcome of the turn. */
function withOutcome(after: readonly Entry[], charsMax: number): Entry[] {
  const last = after.at(-1);
  const fit = fitting(after, charsMax);
  if (last?.kind !== 'message' || fit.length === after.length) return fit;
  return [...fit.slice(0, -1), last];
}
