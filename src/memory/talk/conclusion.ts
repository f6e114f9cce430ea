import { bestUnits, type Unit, unitsOf } from './units.ts';

/**
 * What a message of the assistant concludes, in its own sentences: cause, decision, result, what is left. About `max` characters.
 * `without`: sentences that are shown elsewhere.
 */
export function conclusionIn(message: string, max: number, without: readonly string[] = []): string {
  const units = unitsOf(message).map(withoutCourtesy);
  const said = units.filter((unit) => !isEmpty(unit) && !without.includes(unit.text));
  const spoken = said.length > 0 ? said : units.filter(({ text }) => text !== '');
  if (spoken.length === 0) return bestUnits(unitsOf(message.replaceAll('```', '')), [1], max);
  const weights = spoken.map((unit, index) => scoreOf(unit, index, spoken.length));
  return bestUnits(spoken, weights, max);
}

/** Whether a message only announces the next step, or only thanks. */
export function isCourtesy(message: string): boolean {
  // Without the code that it introduces, a sentence says nothing.
  const units = unitsOf(message).map(withoutCourtesy);
  return units.every((unit) => isEmpty(unit) || (unit.kind === 'sentence' && unit.text.endsWith(':')));
}

/** Whether a message states a cause or a result. */
export function isClaim(message: string): boolean {
  return unitsOf(message)
    .map(withoutCourtesy)
    .some((unit) => !isEmpty(unit) && (cause.test(unit.text) || result.test(unit.text)));
}

/** `Perfect! The tests pass.` without its first word. */
function withoutCourtesy(unit: Unit): Unit {
  const text = unit.text.replace(courtesy, '').trim();
  return text === unit.text ? unit : { ...unit, text };
}

const courtesy =
  /^(?:(?:all done|perfect|great|excellent|good|nice|sure|okay|ok|alright|absolutely|certainly|of course|done|got it|understood|interesting|wonderful|awesome|you'?re (?:absolutely |completely )?right|good (?:question|point|catch|idea|news)|great (?:question|point|catch|idea|news)|thanks?(?: you)?|sorry|i (?:see|understand))\s*(?:[!.,:—–-]+\s*|$))+(?:(?=\p{Lu}|`|$)|)/iu;

function isEmpty({ text, kind }: Unit): boolean {
  if (text === '') return true;
  if (kind === 'item' || kind === 'row' || cause.test(text)) return false;
  return announcement.test(text);
}

/** What is about to be done, an offer, a phrase that introduces. */
const announcement =
  /^(?:(?:now|next|first|so|then|okay|and|but|finally)[,: ]+)*(?:(?:let me|let'?s (?:look|check|see|verify|run)|i'?ll|i will|i'?m going to|i need to|i should|let us|time to|(?:also )?(?:add|update|fix|create|write|check|run|verify|look|read|find|implement|remove|replace|move|wire|commit|register|test)(?= )(?=.*[.:]$)(?!ing))\b|(?:here(?:'s| is| are) (?:the|a|my|what)\b.*:$)|(?:would you like|do you want|shall i|want me to|let me know|feel free|hope this)\b)|^(?:now )?i (?:now )?have (?:all|everything|enough|a (?:clear|good|full|complete))\b|^now i (?:can )?(?:see|understand)\b.{0,40}$/i;

function scoreOf({ text, kind, section }: Unit, index: number, count: number): number {
  if (kind === 'heading') return count === 1 ? 1 : index === 0 ? 1.2 : -1;
  let score = 1 + (index === 0 ? 2 : 0) + (index >= count - 2 ? 0.5 : 0);
  if (cause.test(text)) score += 3;
  if (result.test(text)) score += 1.5;
  if (open.test(text)) score += 1.5;
  if (/\b\d+(?:[.,]\d+)?\s?(?:%|ms|s|MB|KB|x)?\b/.test(text)) score += 0.5;
  if (goodSection.test(section)) score += 1.5;
  if (text.endsWith(':')) score -= 2;
  if (kind === 'row') score -= 1.5;
  if (status.test(text)) score -= 3;
  if (text.split(' ').length < 4) score -= 1;
  return score;
}

/** Says only that all is well. */
const status = /^(?:all|everything|tests?|lint|build|typecheck|clean|no)\b.{0,40}$/i;
const cause =
  /\b(?:because|root cause|due to|turns? out|caused by|the (?:actual |real )?(?:issue|problem|bug|cause|reason|fix|culprit|answer)(?: here)? (?:is|was)|so that|means that|which means|therefore|that'?s why|instead of|rather than|since|decided|chose|recommend)\b/i;
const result =
  /\b(?:fixed|added|removed|changed|replaced|renamed|moved|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?|works?|implemented|updated|created|committed|pushed|merged|reverted|no longer|now (?:uses?|returns?|has|is|shows?)|found|confirmed|complete[d]?)\b/i;
const open =
  /\b(?:not yet|still|remaining|left to|todo|follow-?up|next steps?|you(?:'ll)? (?:need|should|have) to|pre-existing|unrelated|limitation|caveat|however|except)\b/i;
const goodSection =
  /\b(?:summary|conclusion|result|root cause|cause|answer|recommendation|decision|verdict|findings?|problem|fix|solution|why|what (?:was|changed)|key|tl;?dr|issue|next)\b/i;
