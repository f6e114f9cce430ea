import * as v from 'valibot';
import type { Json } from '#core/event';
import { mcpEdgesCharsMax, mcpTermsMax, mcpWordsCharsMax } from '#core/limits';
import { Failure } from '#core/platform';
import { detailShape, inForm, whyShape } from '#core/rpc';
import { oneLine } from '#core/text';
import { harmlessJson } from '../record.ts';
import {
  clientOf,
  edgeLine,
  entryLine,
  entryOf,
  gist,
  idArgument,
  provenanceOf,
  replies,
  textArgument,
} from '../shapes.ts';
import { tool } from '../tool.ts';

const provenance = v.object({
  ...v.omit(detailShape, ['text', 'model', 'isError']).entries,
  model: v.pipe(v.string(), v.description('the model that wrote the text')),
  client: v.nullable(v.string()),
});

export const memWhy = tool({
  name: 'mem_why',
  title: 'Why a memory was found',
  description:
    'Explains a memory: the numbers behind its rank for a query, and its origin. ' +
    'Use it when hits surprise or disagree.',
  input: v.object({
    id: idArgument,
    query: textArgument('Without it, only the provenance'),
  }),
  output: { why: v.nullable(whyShape), provenance },
  run: async ({ id, query }, daemon) => {
    const [found, explained] = await Promise.all([
      daemon.ask({ op: 'get', ids: [id] }),
      query === undefined ? null : daemon.ask({ op: 'why', id, query }),
    ]);
    const [summary] = inForm(replies.get, found).summaries;
    if (summary === undefined) throw new Failure('bad_request', `there is no memory with id ${id}`);
    const numbers = explained === null ? null : numbersOf(inForm(replies.why, explained).why);
    const from = { ...provenanceOf(summary, mcpEdgesCharsMax), client: clientOf(summary) };
    return {
      structured: { why: numbers, provenance: from },
      lines: [
        entryLine(entryOf(summary, gist(summary.text))),
        ...(numbers === null ? [] : whyLines(numbers)),
        ...provenanceLines(from),
      ],
      ids: [id],
    };
  },
});

/** The terms come with the rarest first; the most common ones are left out. */
function numbersOf(why: Json) {
  const { bm25, explanation, sentence: _sentence, ...rest } = inForm(whyShape, harmlessJson(why));
  const { terms = [] } = bm25;
  return {
    ...rest,
    bm25: { ...bm25, terms: terms.slice(0, mcpTermsMax) },
    explanation: oneLine(explanation, mcpWordsCharsMax),
  };
}

function whyLines(why: v.InferOutput<typeof whyShape>): string[] {
  const { bm25, vector, legs = {}, decay, factors = {}, rrf, explanation } = why;
  const rankOf = (rank: number | null): string => (rank === null ? 'not found' : `rank ${rank}`);
  const sum = Object.entries({ bm25, vector, ...legs }).map(
    ([name, leg]) => `${name} ${leg.contribution.toFixed(6)} (${rankOf(leg.rank)})`,
  );
  const product = Object.entries({ decay: decay.factor, ...factors }).map(
    ([name, value]) => `${name} ${value.toFixed(6)}`,
  );
  return [
    `score ${rrf.score.toFixed(6)} (${rankOf(rrf.rank)}) = (${sum.join(' + ')}) x ${product.join(' x ')}`,
    `in words: ${JSON.stringify(explanation)}`,
  ];
}

function provenanceLines(from: v.InferOutput<typeof provenance>): string[] {
  const { ts, tool: name, sessionId, client, eventId, toolUseId, model, embedder, dimension } = from;
  const event = JSON.stringify(eventId);
  const call = toolUseId === null ? event : `${event} (call ${JSON.stringify(toolUseId)})`;
  return [
    `recorded ${oneLine(ts, 30)} from ${oneLine(name, 40)} in session ${JSON.stringify(sessionId)} of ${client ?? 'an unknown assistant'}, event ${call}`,
    `text by ${oneLine(model, 60)}, vector by ${embedder === null ? 'none' : `${oneLine(embedder, 60)} (${dimension ?? 0} numbers)`}`,
    ...from.edges.map(edgeLine),
  ];
}
