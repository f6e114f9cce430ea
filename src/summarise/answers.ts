import { isObject, type Json, own } from '../event/index.ts';
import { summaryCharsMax, summaryTermsCharsMax } from '../limits.ts';
import { parseJson } from '../model/index.ts';
import type { BatchOutcome, RowFailure, SummaryDraft, Usage } from './backend.ts';

/**
 * What a model said about a batch of `count` events, whose ids in the prompt were 1 to `count`. Good answers are kept;
 * an event without exactly one good answer has its own failure; when there is none for any, the batch is `rejected`.
 * Prose or fences around the JSON are passed over: not every runtime enforces the schema.
 */
export function readAnswers(content: string, count: number, usage: Usage): BatchOutcome {
  const list = listIn(content);
  if (list === null)
    return { kind: 'rejected', error: 'the model did not answer with the JSON asked for', usage };
  const byId = new Map<number, readonly Json[]>();
  for (const entry of list) {
    const id = idOf(entry);
    if (id !== null) byId.set(id, [...(byId.get(id) ?? []), entry]);
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

function idOf(entry: Json): number | null {
  const id = isObject(entry) ? own(entry, 'id') : undefined;
  if (typeof id === 'number') return Number.isInteger(id) ? id : null;
  return typeof id === 'string' && /^\d{1,6}$/.test(id) ? Number(id) : null;
}

/** The list of answers in what the model said, or null. */
function listIn(content: string): readonly Json[] | null {
  const said = content.replace(/<think>[\s\S]*?<\/think>/, '').trim();
  for (const candidate of candidates(said)) {
    const value = parseJson(candidate);
    const list = isObject(value) ? own(value, 'summaries') : value;
    if (Array.isArray(list)) return list;
    // A model that is given one event may answer with the entry alone.
    if (isObject(value) && idOf(value) !== null) return [value];
  }
  return null;
}

function candidates(said: string): readonly string[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(said)?.[1];
  const object = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  const array = said.slice(said.indexOf('['), said.lastIndexOf(']') + 1);
  return fenced === undefined ? [said, object, array] : [said, fenced, object, array];
}

/**
 * One line of at most `limit` UTF-16 units, without terminal sequences, control or invisible formatting characters (a summary
 * is shown in terminals and given to assistants), cut at a word where one is near.
 */
function plain(text: string, limit: number): string {
  const line = text
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, '')
    .replace(/[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, ' ')
    .replace(/[\p{Cc}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > limit * 0.9 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
