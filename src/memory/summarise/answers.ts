import { isObject, type Json, own } from '#core/event';
import { summaryCharsMax, summaryTokensMax } from '#core/limits';
import type { BatchOutcome, RawEvent, RowFailure, SummaryDraft } from './backend.ts';
import type { Chat, Usage } from './chat.ts';
import { plain } from './plain.ts';
import { answerSchema, promptFor } from './prompt.ts';
import { entriesIn, idOf } from './said.ts';

export const summaryTermsCharsMax = 600;

/** Asks a model to summarise `events` in one call. */
export async function askSummaries(
  chat: Chat,
  events: readonly RawEvent[],
  promptTokensMax: number,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const { length } = events;
  const question = {
    prompt: promptFor(events, promptTokensMax),
    schema: answerSchema,
    answerTokens: {
      max: (length + 1) * summaryTokensMax,
      likely: Math.ceil((length * summaryTokensMax) / 2),
    },
  };
  const reply = await chat.ask(question, signal);
  if (reply.kind !== 'answered') return reply;
  const outcome = readAnswers(reply.content, length, reply.usage);
  return outcome.kind === 'rejected' && reply.endedEarly !== null
    ? { ...outcome, error: reply.endedEarly }
    : outcome;
}

/**
 * Reads a model's answer about a batch of `count` events, whose ids in the prompt were 1 to `count`. An event without exactly
 * one good answer fails on its own; without any good answer the batch is `rejected`.
 */
export function readAnswers(content: string, count: number, usage: Usage): BatchOutcome {
  const list = entriesIn(content, 'summaries');
  if (list === null)
    return { kind: 'rejected', error: 'the model did not answer with the JSON asked for', usage };
  const byId = new Map<number, Json[]>();
  for (const entry of list) {
    const id = idOf(entry);
    const others = id === null ? undefined : byId.get(id);
    if (others !== undefined) others.push(entry);
    else if (id !== null) byId.set(id, [entry]);
  }
  const answers = Array.from({ length: count }, (_, index) => answerFor(byId.get(index + 1) ?? []));
  if (answers.some((answer) => 'text' in answer)) return { kind: 'done', answers, usage };
  const first = answers.find((answer) => 'error' in answer);
  return { kind: 'rejected', error: first?.error ?? 'the model gave no answer', usage };
}

function answerFor(entries: readonly Json[]): SummaryDraft | RowFailure {
  const [entry, another] = entries;
  if (entry === undefined) return { error: 'the model gave no answer for this event' };
  if (another !== undefined) return { error: 'the model gave several answers for this event' };
  const text = isObject(entry) ? own(entry, 'text') : undefined;
  const terms = isObject(entry) ? own(entry, 'terms') : undefined;
  if (typeof text !== 'string') return { error: 'the model gave an answer without text for this event' };
  const shown = plain(text, summaryCharsMax);
  if (shown === '') return { error: 'the model gave an empty answer for this event' };
  return { text: shown, terms: plain(termsText(terms), summaryTermsCharsMax) };
}

/** Terms help to find; a model that gets their form wrong has still written a summary. */
function termsText(terms: Json | undefined): string {
  if (typeof terms === 'string') return terms;
  return Array.isArray(terms) ? terms.filter((term) => typeof term === 'string').join(' ') : '';
}
