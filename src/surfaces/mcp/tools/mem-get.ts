import * as v from 'valibot';
import { isObject, type Json } from '#core/event';
import { mcpEdgesCharsMax, mcpGetCharsMax, mcpIdsMax, mcpPayloadCharsMax } from '#core/limits';
import { edgeShape, inForm, pinWords, whatWords } from '#core/rpc';
import { harmless, oneLine } from '#core/text';
import { askedWords, excerpts } from '#reading/talk';
import { fitting, shortened } from '../record.ts';
import {
  type Detailed,
  edgeLine,
  edgesOf,
  entry,
  entryOf,
  flagArgument,
  idArgument,
  replies,
  stateWords,
  textArgument,
} from '../shapes.ts';
import { tool } from '../tool.ts';

/** All memories of an answer together; `full` gives `mcpPayloadCharsMax`. */
const textCharsMax = 2_000;
/** A text or output that is longer begins with the passage that was asked about, of about this length. */
const passageCharsMax = 1_000;

export const memGet = tool({
  name: 'mem_get',
  title: 'Read whole memories',
  description:
    'Reads whole memories by id, and what replaces or contradicts them. ' +
    'Use it for the hits of mem_search that matter, when the sentence shown does not answer.',
  input: v.object({
    ids: v.pipe(
      v.array(idArgument, 'must be a list of ids, as in the results of mem_search'),
      v.minLength(1, 'must have at least one id'),
      v.maxLength(mcpIdsMax, `must have at most ${mcpIdsMax} ids`),
    ),
    query: textArgument('What you look for; default: the query that found them'),
    full: flagArgument('All of a long memory'),
  }),
  output: {
    summaries: v.array(
      v.object({
        ...entry.entries,
        passage: v.optional(v.pipe(v.string(), v.description('what fits the search best'))),
        edges: v.optional(v.array(edgeShape)),
        payload: v.optional(
          v.pipe(v.unknown(), v.description('of a call: redacted, long texts cut in the middle')),
        ),
      }),
    ),
    missing: v.optional(v.pipe(v.array(v.number()), v.description('ids without a memory'))),
  },
  run: async ({ ids, query, full = false }, daemon) => {
    const found = inForm(replies.get, await daemon.ask({ op: 'get', ids })).summaries;
    const room = (full ? mcpPayloadCharsMax : textCharsMax) / Math.max(1, found.length);
    const all = found.map((one) => wholeOf(one, room, query ?? daemon.queries.get(one.id) ?? ''));
    const summaries = fitting(all, mcpGetCharsMax);
    const missing = ids.filter((id) => !found.some((summary) => summary.id === id));
    const leftOut = all.slice(summaries.length).map(({ id }) => id);
    const numbers = (list: readonly number[]): string => list.map((id) => `#${id}`).join(', ');
    const hints = [
      ...(missing.length > 0 ? [`There is no memory ${numbers(missing)}.`] : []),
      ...(summaries.some(({ passage }) => passage !== undefined) && !full
        ? ['Long texts are cut: "full": true gives more.']
        : []),
      ...(leftOut.length > 0 ? [`Did not fit, ask again: ${numbers(leftOut)}.`] : []),
    ];
    return {
      structured: { summaries, ...(missing.length > 0 && { missing }) },
      lines: summaries.flatMap(lines),
      ids: summaries.map(({ id }) => id),
      hint: hints.join(' '),
    };
  },
});

/** All of a memory, up to the room of an answer. */
export function wholeLines(found: Detailed): string[] {
  return lines(wholeOf(found, mcpPayloadCharsMax, ''));
}

/** `room`: the characters for its texts and its call. */
function wholeOf(summary: Detailed, room: number, query: string) {
  const charsMax = Math.max(128, Math.floor(room));
  const edges = edgesOf(summary, Math.min(mcpEdgesCharsMax, charsMax));
  const { kind, text } = summary;
  const isCall = kind === 'call';
  const long = isCall ? outputOf(summary.payload) : text;
  const passage = long.length > charsMax ? passageOf(long, query, charsMax) : null;
  const left = charsMax - (passage?.length ?? 0);
  const cut = shortened(isCall ? oneLine(text, Infinity) : harmless(text), Math.max(128, left));
  return {
    ...entryOf(summary, typeof cut === 'string' ? cut : ''),
    ...(summary.state != null && { state: stateWords(summary.state) }),
    ...(passage !== null && { passage }),
    ...(edges.length > 0 && { edges }),
    ...(isCall && { payload: shortened(callOf(summary.payload), Math.max(128, left)) }),
  };
}

function passageOf(text: string, query: string, charsMax: number): string | null {
  const asked = askedWords(query);
  const room = Math.min(passageCharsMax, Math.floor(charsMax / 2));
  return asked.size === 0 ? null : excerpts(harmless(text), asked)(room);
}

function outputOf(payload: Json): string {
  const output = isObject(payload) ? payload.output : undefined;
  return typeof output === 'string' ? output : JSON.stringify(output ?? '').replaceAll('\\n', '\n');
}

/** A call without what the entry has already: session, time, ids. */
function callOf(payload: Json): Json {
  if (!isObject(payload)) return payload;
  const { tool: name, input, output, isError } = payload;
  return {
    ...(name !== undefined && { tool: name }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(isError === true && { isError }),
  };
}

function lines(summary: ReturnType<typeof wholeOf>): string[] {
  const { id, ts, sessionId, text, passage, author, edges = [], state } = summary;
  const pin = pinWords(summary);
  const session = sessionId === undefined ? '' : ` session ${sessionId}`;
  return [
    `#${id} ${oneLine(ts, 30)} ${whatWords(summary)}${session}${pin === null ? '' : ` (${pin})`}${author === undefined ? '' : ` (from ${author})`}`,
    ...(passage === undefined ? [] : [`passage: ${JSON.stringify(passage)}`]),
    `text: ${JSON.stringify(text)}`,
    ...(state === undefined ? [] : [`state: ${state}`]),
    ...edges.map(edgeLine),
    ...('payload' in summary ? [`call: ${JSON.stringify(summary.payload)}`] : []),
  ];
}
