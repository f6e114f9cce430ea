import * as v from 'valibot';
import { type JsonObject, memoryKinds } from '#core/event';
import { mcpHitsMax } from '#core/limits';
import { hitShape, inForm, type limitsShape } from '#core/rpc';
import { harmless } from '#core/text';
import { askedWords, type Excerpt, excerpts } from '#reading/talk';
import { notice, recordText } from '../record.ts';
import {
  countArgument,
  entry,
  entryLine,
  entryOf,
  flagArgument,
  type Hit,
  replies,
  textArgument,
} from '../shapes.ts';
import { tool } from '../tool.ts';

/** For ten hits, as text and as data, each. */
const answerBytes = 2_000;
const queriesMax = 500;
const textCharsMost = 400;
const textCharsLeast = 24;
/** So many hits get half as much room again. */
const first = 3;

const kindMust = `must be ${memoryKinds.join(', ')}, or a list of these`;

export const memSearch = tool({
  name: 'mem_search',
  title: 'Search the memory of this project',
  description:
    'Searches what was said and done in earlier sessions of this project: requests, reasons, decisions (kind "message"), commands, edits, errors (kind "call"), whole sessions (kind "session"). ' +
    'Search before you redo work, when the user refers to earlier work, and when an error looks familiar. ' +
    'Ask with the words that the answer would have.',
  input: v.object({
    query: v.pipe(
      v.string('must be a text: words, a path, an identifier, a part of an error message'),
      v.description('Words, a path, an identifier, an error message'),
    ),
    k: countArgument(`Hits, at most ${mcpHitsMax}`),
    session: textArgument('Id, its start, or "last"', 'must be the id of a session'),
    tool: textArgument('Of this tool'),
    since: textArgument('2026-02-12, 2w, yesterday, "last week"'),
    until: textArgument('A day is included'),
    file: textArgument('About this path, or its end'),
    client: textArgument('As claude-code, codex'),
    failed: flagArgument('Only failed calls'),
    anytime: flagArgument('A date in the query is not a filter'),
    kind: v.optional(
      v.pipe(
        v.array(v.picklist(memoryKinds, kindMust), kindMust),
        v.minLength(1, kindMust),
        v.description('Only these kinds'),
      ),
    ),
    more: countArgument('From the last answer: the next hits'),
    start: flagArgument('After a call failed because it is not running'),
  }),
  output: {
    hits: v.array(v.object({ ...entry.entries, score: hitShape.entries.score })),
    dates: v.optional(v.pipe(v.string(), v.description('the date in the query that limits the hits'))),
    fits: v.optional(
      v.pipe(v.literal(false), v.description('no memory mentions a name in the query: only the nearest')),
    ),
    more: v.optional(v.pipe(v.number(), v.description('there are further hits'))),
    recipe: v.optional(v.pipe(v.string(), v.description('the command that is asked for, as it last passed'))),
  },
  run: async ({ query, k, kind, more: skip = 0, start = false, ...filters }, daemon) => {
    const request = {
      op: 'search',
      query,
      skip,
      ...(k !== undefined && { topK: Math.min(k, mcpHitsMax) }),
      ...given(filters),
      ...(kind !== undefined && { kinds: kind }),
    };
    const reply = await (start ? daemon.askStarting(request) : daemon.ask(request));
    const { hits, dates, nearest, fits, topK, more: further, recipe } = inForm(replies.search, reply);
    const found = hits.slice(0, mcpHitsMax);
    // The setting may allow more hits than an answer.
    const more = hits.length > mcpHitsMax ? skip + mcpHitsMax : further;
    if (daemon.queries.size > queriesMax) daemon.queries.clear();
    for (const { id } of found) daemon.queries.set(id, query);
    const limited =
      (fits === undefined || found.length === 0
        ? ''
        : ' Nothing fits well: no memory mentions a name in the query. These hits are the nearest.') +
      datesWords(dates, nearest) +
      (more === undefined ? '' : ` The next hits: "more": ${more}.`) +
      (topK === undefined ? '' : ` The setting topK limits a search to ${topK} hits.`);
    const asked = askedWords(query);
    const texts = found.map(({ text, passage = text }) => excerpts(harmless(passage), asked));
    const place = recipe === undefined || recipe.place === '' ? '' : ` in ${recipe.place}`;
    return fitted(found, texts, limited, {
      ...(recipe !== undefined && { recipe: harmless(`${recipe.command}${place}`) }),
      ...(dates !== undefined && { dates: dates.lifted ? `none ${dates.text}` : dates.text }),
      ...(fits !== undefined && { fits }),
      ...(more !== undefined && { more }),
    });
  },
});

function datesWords(dates: v.InferOutput<typeof limitsShape>['dates'], nearest: string | undefined): string {
  const near = nearest === undefined ? '' : ` The nearest day with a memory: ${nearest}.`;
  if (dates === undefined) return near;
  return dates.lifted
    ? ` No memory ${dates.text} matches: these are of other dates.${near}`
    : ` Only ${dates.text}, from the query: "anytime" lifts it.`;
}

function given(filters: Readonly<Record<string, string | boolean | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The hits with as much of their texts as fits into the answer; as text they take less around it, so more of each fits. */
function fitted(
  found: readonly Hit[],
  texts: readonly Excerpt[],
  limited: string,
  limits: { dates?: string; fits?: false; more?: number; recipe?: string },
) {
  const hint =
    (found.length > 0
      ? 'More: mem_get {ids}, mem_timeline {id}.'
      : 'No memory matches: nothing fits these words. Try others, a path, a part of an error message, or fewer filters.') +
    limited;
  const bytesMax = answerBytes * Math.max(1, found.length / 10);
  const structured = longest(
    bytesMax,
    (chars) => ({ hits: entriesOf(found, texts, chars), ...limits }),
    (data) => JSON.stringify({ notice, ...data }),
  );
  const { recipe } = limits;
  const passed = recipe === undefined ? [] : [`last passed: ${JSON.stringify(recipe)}`];
  const lines = longest(
    bytesMax,
    (chars) => [...passed, ...entriesOf(found, texts, chars).map((hit) => entryLine(hit))],
    (some) => recordText(some, hint),
  );
  return { structured, lines, ids: found.map(({ id }) => id), hint };
}

/** What `make` gives for the most characters a text whose form stays under `bytesMax`. */
function longest<T>(bytesMax: number, make: (chars: number) => T, form: (made: T) => string): T {
  for (let chars = textCharsMost; ; chars *= 0.92) {
    const made = make(chars);
    if (Buffer.byteLength(form(made)) < bytesMax || chars < textCharsLeast) return made;
  }
}

/** The first ones get more room. */
function entriesOf(found: readonly Hit[], texts: readonly Excerpt[], chars: number) {
  return found.map((hit, at) => ({
    ...entryOf(hit, texts[at]?.(Math.floor(at < first ? 1.5 * chars : chars)) ?? '', 10),
    score: Math.round(hit.score * 1e4) / 1e4,
  }));
}
