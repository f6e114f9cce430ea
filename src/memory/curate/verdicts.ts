import { redactText } from '../../capture/redact/index.ts';
import { isObject, type Json, stringAt } from '../../core/event/index.ts';
import { entriesIn, idOf, plain } from '../summarise/index.ts';

export const verdictReasonCharsMax = 240;

/** How the newer of two memories stands to the older one. */
export interface Verdict {
  readonly verdict: 'supersedes' | 'contradicts' | 'neither';
  /** One line, redacted, at most `verdictReasonCharsMax` characters; empty only for `neither`. */
  readonly reason: string;
}

export interface VerdictFailure {
  readonly error: string;
}

/**
 * What came of one question about several pairs. `judged`: one answer a pair, in their order. `rejected`: an answer that
 * cannot be trusted for any of them. `outage`: no answer, and nothing is known of the pairs.
 */
export type Judgement =
  | { readonly kind: 'judged'; readonly verdicts: readonly (Verdict | VerdictFailure)[] }
  | { readonly kind: 'rejected' | 'outage'; readonly error: string };

/**
 * What a model said of `count` pairs, whose ids in the prompt were 1 to `count`. An answer with one entry too few, too many, or
 * for a pair that was not asked about is trusted for none of them: its ids may have slipped, and a verdict on the wrong
 * pair would cost a memory. Of a sound list an entry that does not agree with itself fails alone.
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
  const reason = plain(
    redactText(plain(stringAt(entry, 'reason') ?? '', reasonReadCharsMax)).text,
    verdictReasonCharsMax,
  );
  if (verdict === 'neither') return { verdict, reason };
  if (verdict !== 'supersedes' && verdict !== 'contradicts')
    return { error: 'the model gave an unknown verdict for this pair' };
  if (outdated !== (verdict === 'supersedes' ? 'older' : 'none'))
    return { error: `the model said "${verdict}" and that "${plain(outdated ?? '', 20)}" is outdated` };
  if (reason === '') return { error: 'the model gave no reason for this pair' };
  return { verdict, reason };
}

/** More than is kept, so that a secret at the cut is seen whole. */
const reasonReadCharsMax = 2_000;
