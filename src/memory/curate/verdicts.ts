import { isObject, type Json, stringAt } from '#core/event';
import { entriesIn, idOf, plain } from '#memory/summarise';
import { redactText } from '#redact/engine';

export const verdictReasonCharsMax = 240;

/** How the newer of two memories relates to the older one. */
export interface Verdict {
  readonly verdict: 'supersedes' | 'contradicts' | 'neither';
  /** One line, redacted, at most `verdictReasonCharsMax` characters; empty only for `neither`. */
  readonly reason: string;
}

export interface VerdictFailure {
  readonly error: string;
}

/**
 * The result of one question about several pairs. `judged`: one answer per pair, in order. `rejected`: no part of the
 * answer can be trusted. `outage`: no answer.
 */
export type Judgement =
  | { readonly kind: 'judged'; readonly verdicts: readonly (Verdict | VerdictFailure)[] }
  | { readonly kind: 'rejected' | 'outage'; readonly error: string };

/**
 * Reads a model's answer about `count` pairs with the ids 1 to `count`. Rejects an answer with a missing, extra or
 * unknown id: the ids may have shifted, and a wrong verdict would cost a memory. An entry that contradicts itself
 * fails alone.
 */
export function readVerdicts(content: string, count: number): Judgement {
  const list = entriesIn(content, 'verdicts');
  if (list === null) return { kind: 'rejected', error: 'the model did not answer with the JSON asked for' };
  const byId = new Map(list.map((entry) => [idOf(entry), entry]));
  const verdicts = Array.from({ length: count }, (_, index) => {
    const entry = byId.get(index + 1);
    return entry === undefined ? null : verdictOf(entry);
  });
  const answered = verdicts.filter((verdict) => verdict !== null);
  if (list.length !== count || answered.length !== count)
    return { kind: 'rejected', error: `the model did not answer for each of ${count} pairs once` };
  return { kind: 'judged', verdicts: answered };
}

function verdictOf(entry: Json): Verdict | VerdictFailure {
  if (!isObject(entry)) return { error: 'the model gave no verdict for this pair' };
  const verdict = stringAt(entry, 'verdict');
  const outdated = stringAt(entry, 'outdated');
  const said = plain(stringAt(entry, 'reason') ?? '', reasonReadCharsMax);
  const reason = plain(redactText(said).text, verdictReasonCharsMax);
  if (verdict === 'neither') return { verdict, reason };
  if (verdict !== 'supersedes' && verdict !== 'contradicts')
    return { error: 'the model gave an unknown verdict for this pair' };
  if (outdated !== (verdict === 'supersedes' ? 'older' : 'none'))
    return { error: `the model said "${verdict}" and that "${plain(outdated ?? '', 20)}" is outdated` };
  if (reason === '') return { error: 'the model gave no reason for this pair' };
  return { verdict, reason };
}

/** Longer than the stored reason, so that a secret at the cut is seen whole. */
const reasonReadCharsMax = 2_000;
