import { bestUnits, chosenUnits, reportMark, type Unit, unitsOf } from './units.ts';

/** What a message of the assistant concludes, in its own sentences: cause, decision, result, what is left. About `max` characters. */
export function conclusionIn(message: string, max: number): string {
  const units = unitsOf(message).map(withoutCourtesy);
  const said = units.filter((unit) => !isEmpty(unit));
  const spoken = said.length > 0 ? said : units.filter(({ text }) => text !== '');
  if (spoken.length === 0) return bestUnits(unitsOf(message.replaceAll('```', '')), [1], max);
  const weights = spoken.map((unit, index) => scoreOf(unit, index, spoken.length));
  return bestUnits(spoken, weights, max);
}

/**
 * What a closing reply says was done, in its own sentences, else what it found out; empty when it says neither. About `max` characters.
 * `without`: sentences that are shown elsewhere.
 */
export function outcomeIn(message: string, max: number, without: readonly string[] = []): string {
  const units = withLists(withoutPromises(unitsOf(withoutSublists(message)).map(withoutCourtesy)));
  const said = units
    .filter((unit) => !isEmpty(unit) && !where.test(unit.text) && !without.includes(unit.text))
    .flatMap((unit) => withoutLead(unit) ?? []);
  const leads = units.map((unit, at) =>
    unit.kind === 'item' ? units.findLast((one, n) => n < at && one.kind !== 'item') : null,
  );
  const weights = said.map((unit, index) =>
    doneScoreOf(unit, index, isDoneLead(leads[units.indexOf(unit)]?.text ?? '')),
  );
  const best = Math.max(0, ...weights);
  // Far less than the best is an aside.
  const near = said.filter((_, at) => (weights[at] ?? 0) > Math.max(leastScore, best - asideScore));
  const telling = near.filter((unit) => !isHollow(unit));
  // The checks have lines of their own.
  const kept = near.filter(
    (unit) => telling.length === 0 || telling.includes(unit) || /^no\b/i.test(unit.text),
  );
  const scores = kept.map((unit) => weights[said.indexOf(unit)] ?? 0);
  const text = bestUnits(kept, scores, max).replace(/^(?:After|Summary): /, '');
  if (telling.length === 0 || /[:\u2026]$/.test(text) || /^[\x20-\x7e]{0,15}$/.test(text)) return '';
  // The items of a list that are shown are not all of it.
  const shown = chosenUnits(kept, scores, max);
  const lists = new Set(shown.flatMap((unit) => leads[units.indexOf(unit)] ?? []));
  const left = units.filter((unit, at) => {
    const lead = leads[at] ?? null;
    return (
      lead !== null &&
      lists.has(lead) &&
      unit.at === 0 &&
      !shown.some(({ text: one }) => unit.text.startsWith(one)) &&
      !isHollow(unit)
    );
  });
  return left.length === 0 ? text : text + reportMark + `${left.length} more`;
}

/** The lists below the items of another one are its details. */
function withoutSublists(message: string): string {
  let isBelow = false;
  const lines = message.split('\n').map((line) => {
    if (/^\S/.test(line)) isBelow = listItem.test(line);
    return isBelow && /^(?: {2}|\t)/.test(line) && listItem.test(line.trimStart()) ? '' : line;
  });
  return lines.join('\n');
}

const listItem = /^(?:[-*+\u2022]|\d{1,3}[.)]) /;

/** Says only that all is well. */
function isHollow({ text }: Unit): boolean {
  if (unwell.test(text)) return false;
  return status.test(text) || commits.test(text) || !/\p{L}/u.test(text.replace(wellWords, ''));
}

const commits = /^(?:created|made) \S+ (?:\w+ )?commits?[.:]?$/i;
/** Names failures, and does not say that there are none. */
const unwell =
  /(?<!\b(?:no|0|zero|without|any|not)\s(?:\w+\s)?)\b(?:fail(?:s|ed|ing|ures?)?|errors?|warnings?|issues?|regressions?)\b/i;

/** `The wheel now:` with its list, where that is short. */
function withLists(units: readonly Unit[]): readonly Unit[] {
  return units.flatMap((unit, at) => {
    const lead = units.findLast((one, n) => n < at && one.kind !== 'item');
    if (unit.kind === 'item' && lead !== undefined && listOf(lead, units) !== '') return [];
    const list = listOf(unit, units);
    return list === '' ? [unit] : [{ ...unit, text: `${unit.text} ${list}` }];
  });
}

function listOf(lead: Unit, units: readonly Unit[]): string {
  if (lead.kind === 'item' || !dangling.test(lead.text) || !done.test(lead.text)) return '';
  const after = units.slice(units.indexOf(lead) + 1);
  const end = after.findIndex(({ kind }) => kind !== 'item');
  const items = after.slice(0, end < 0 ? undefined : end).filter(({ at }) => at === 0);
  const list = items.map(({ text }) => text.split(/ [\u2013\u2014-] |[.;] /)[0] ?? '').join('; ');
  // Places alone are listed elsewhere.
  const isSaid = items.some(({ text }) => /\p{L}/u.test(text.replace(/`[^`]*`/g, '')));
  return lead.text.length + list.length > listCharsMax || !isSaid ? '' : list;
}

const dangling =
  /\b(?:covering|including|using|now|that|it|which|is|are|and|in|to|from|for|with|of|by|at):$/i;
const listCharsMax = 320;

/** `Fixed both places:` without its colon: its list may not be shown. Null for a lead that says nothing alone. */
function withoutLead(unit: Unit): Unit | null {
  if (
    /^<\/?[\w-]+>$|\b(?:in|to|from|for|with|of|by|at|now|that|it|which|is|are|and):?$/i.test(unit.text) &&
    unit.kind !== 'item'
  )
    return null;
  if ((unit.kind === 'heading' || unit.text.endsWith(':')) && namesNothing.test(unit.text)) return null;
  // `Now the wheel:` belongs to what it lists.
  if (!unit.text.endsWith(':') || (nowDone.test(unit.text) && unit.text.length <= shortLeadMax)) return unit;
  return done.test(unit.text) || nowDone.test(unit.text)
    ? {
        ...unit,
        text: unit.text.replace(
          /(?:,| [\u2013\u2014-]) (?:it|which|they|this) [^,\u2013\u2014]{1,40}:$|(?: (?:in|to|for|with))?(?: (?:both|all|these|the following|containing|including|covering))?:$/,
          '',
        ),
      }
    : null;
}

/** `Removed:`, `Removed from the mill:`, and not what. */
const namesNothing = /^\w+(?: \w+)?:?$|^\w+ed (?:from|in|to|at|by|on)\b/i;

/** How it was, although it begins with `The fix:`. */
const wasOnly = /^(?:the )?(?:fix|solution|result)\b ?:.*\b(?:was|were) (?:only|never|not)\b/i;
const nowDone = /^now (?:it|this|the|both|all|each|every)\b/i;
const shortLeadMax = 24;

/** Introduces, or says only that something was understood. */
const where =
  /\bhere(?:['\u2019]s| is| are) (?:the|a|my|what|where|how)\b[^.]{0,40}[.:]$|^(?:that makes sense|the (?:issue|problem|cause) is clear(?: now)?|the (?:fix|change|solution) (?:is|was) (?:now )?(?:simple|straightforward|in place|applied|minimal)|there['\u2019]s the (?:issue|problem)|i(?:['\u2019]ve)? found an? (?:issue|bug|problem)|implementation complete|task complete|that['\u2019]s an? (?:\w+ ){0,2}(?:design|approach|idea|plan|question|point)|(?:the|this) (?:\w+ )?(?:implementation|change|fix|work|feature|task|refactoring) is (?:now )?complete)[.!:]$/i;

const asideScore = 5.5;
const leastScore = 1.4;

/** Without what nobody has seen yet: `Now you should see:`, with its list. */
function withoutPromises(units: readonly Unit[]): Unit[] {
  let isPromised = false;
  return units.filter(({ kind, text }) => {
    if (kind !== 'item') isPromised = text.endsWith(':') && promise.test(text);
    return !isPromised && !promise.test(text);
  });
}

const promise =
  /\b(?:should (?:now |then )?(?:see|work|show|get)|you(?:'ll| will) (?:now )?see|try (?:running|it|again)|the script will|will now show|if (?:it|this) still (?:fails|happens))\b/i;

/** `isListed`: below a sentence that says what was done. */
function doneScoreOf({ text, kind, section }: Unit, index: number, isListed: boolean): number {
  const isDone =
    (done.test(text) && !wasOnly.test(text)) || (kind === 'item' && done.test(text.replace(head, '')));
  if (verdict.test(text)) return verdictScore;
  if (kind === 'heading' && !isDone) return -1;
  let score = index === 0 ? 4 : index === 1 ? 1.5 : 0;
  if (isListed) score += 2;
  if (isDone) score += 3;
  else if (/\b(?:now|no longer)\b/i.test(text)) score += 2;
  else if (result.test(text)) score += 1;
  if (cause.test(text)) score += 1;
  if (ahead.test(text) || (index > 0 && refers.test(text))) score -= 2;
  if (caveat.test(text)) score -= 4;
  // How it was is not what came of it.
  if (/^(?:before|previously|old|was)\b(?: \([^)]*\))?:/i.test(text) || asItWas.test(section)) score -= 6;
  if (/^(?:after|now)\b(?: \([^)]*\))?:/i.test(text)) score += 3;
  // What was wrong comes second to what was done.
  if (!isDone && fault.test(text)) score -= 2;
  if (text.endsWith(':') && nowDone.test(text)) score += 2;
  if (checking.test(section) || checking.test(text)) score -= 2;
  if (status.test(text)) score -= 3;
  // `Begins at noon` says nothing without `A mill that:`.
  if (kind === 'item' && !isListed && !isDone && !claims.test(text) && !cause.test(text)) score -= 2;
  if (kind === 'row') score -= 2;
  if (/\?$|^whether\b/i.test(text)) score -= 4;
  if (text.split(' ').length < 4) score -= 1;
  return score;
}

/** Of a review: the work that it was reported with comes second. */
const verdict =
  /^(?:(?:the )?verdict(?: is)?:? )?(?:REJECT|APPROVE|NO[- ]GO|NOT? (?:CLOSED|READY|APPROVED))(?:E?D|S)?\b.{4}/;
const verdictScore = 8;
const asItWas = /^(?:(?:the )?(?:problem|issue|bug|symptoms?)|before|previously|old)\b.{0,20}$/i;
const claims = /\b(?:now|no longer)\b|: | [\u2013\u2014-] /i;

/** Its list says what was done. */
function isDoneLead(text: string): boolean {
  return !namesNothing.test(text) && (done.test(text) || (text.endsWith(':') && nowDone.test(text)));
}

/** A sentence that begins with what was done. */
const done =
  /^(?:(?:i(?:['’]ve| have)?|we(?:['’]ve| have)?|also|now|successfully|then)\s+)*(?:add|align|adjust|appl(?:i)|bump|chang|clean|commit|complet|configur|convert|correct|creat|delet|document|drop|enabl|disabl|expos|extend|extract|fix|handl|implement|improv|introduc|land|limit|mark|merg|mov|normali[sz]|pinn|publish|push|refactor|refresh|releas|remov|renam|replac|resolv|restor|restructur|return|revert|rework|simplif(?:i)|split|switch|updat|upgrad|wir|wrapp)e?d\b|^(?:i(?:['’]ve| have)?\s+)?(?:made|built|wrote|rewrote|set|put|ran)\b|^(?:the )?(?:fix|change|solution|result|outcome|summary)s?\b\s*(?::|is\b|was\b)|\b(?:is|are) (?:now )?(?:done|complete|fixed|merged|landed)\b/i;
/** `file.ts - ` and what was done there. */
const head = /^.{1,80}?(?: [\u2013\u2014-] |: )/;
const caveat =
  /\b(?:pre-existing|existing unrelated|unrelated (?:failure|error|issue|change|to\b)|did(?: not|n['’]t)|was(?: not|n['’]t) (?:changed|touched|needed)|still (?:has|have|fails?|failing|needs?|open))\b|^(?:note|notice|unrelated|one thing)\b/i;
const fault =
  /\b(?:was|were|wasn['’]t|weren['’]t) (?:\w+ )?\w+ing\b|\b(?:root cause|caused by|came from|the (?:bug|issue|problem|cause|failure|breakage))\b/i;
const ahead =
  /\b(?:not yet|remaining|left to|todo|follow-?up|next steps?|you(?:['’]ll)? (?:need|should|have) to|limitation|caveat|however)\b/i;
const refers = /^(?:that|this|it|its|these|those|they|which|so|but|and)\b/i;
const checking = /\b(?:verif(?:y|ied|ication)|regression|coverage|tests? (?:run|results?|cases?))\b/i;

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
  // `Understood, and ...` is one sentence.
  return text === unit.text || /^(?:and|but|so|which) /.test(text) ? unit : { ...unit, text };
}

const courtesy =
  /^(?:(?:all done|perfect|great|excellent|good|nice|sure|okay|ok|alright|absolutely|certainly|of course|done|got it|understood|interesting|wonderful|awesome|you'?re (?:absolutely |completely )?right|good (?:question|point|catch|idea|news)|great (?:question|point|catch|idea|news)|thanks?(?: you)?|sorry|i (?:see|understand))\s*(?:[!.,:—–-]+\s*|$)|right[.!]\s+)+(?:(?=\p{Lu}|`|$)|)/iu;

function isEmpty({ text, kind }: Unit): boolean {
  if (text === '') return true;
  if (kind === 'item' || kind === 'row' || cause.test(text)) return false;
  return announcement.test(text);
}

/** What is about to be done, an offer, a phrase that introduces. */
const announcement =
  /^(?:(?:now|next|first|so|then|okay|and|but|finally)[,: ]+)*(?:(?:let me|let'?s (?:look|check|see|verify|run)|i'?ll|i will|i'?m going to|i need to|i should|let us|time to|(?:also )?(?:add|update|fix|create|write|check|run|verify|look|read|find|implement|remove|replace|move|wire|commit|register|test)(?= )(?=.*[.:]$)(?!ing))\b|(?:here(?:'s| is| are) (?:the|a|my|what)\b.*:$)|(?:would you like|do you want|shall i|want me to|let me know|feel free|hope this)\b)|^(?:now )?i (?:now )?have (?:all|everything|enough|(?:a|the) (?:clear|good|full|complete|whole))\b|^now i (?:can )?(?:see|understand)\b.{0,40}$/i;

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
const wellWords =
  /`[^`]*`|\b(?:all|both|every(?:thing)?|(?:sub)?tests?|suites?|files?|pass(?:es|ed|ing)?|lint(?:s|ing)?|type-?checks?|types?|checks?|builds?|build|code|is|are|in|an?|the|of|and|with|now|still|clean(?:ly)?|green|no|zero|errors?|failures?|fail(?:ed)?|warnings?|issues?|regressions?|successfully|success|ok|good|done|complete[d]?|implementation|state|full|after|i['\u2019]ve|tasks?|steps?)\b/giu;
const cause =
  /\b(?:because|root cause|due to|turns? out|caused by|the (?:actual |real )?(?:issue|problem|bug|cause|reason|fix|culprit|answer)(?: here)? (?:is|was)|so that|means that|which means|therefore|that'?s why|instead of|rather than|since|decided|chose|recommend)\b/i;
const result =
  /\b(?:fixed|added|removed|changed|replaced|renamed|moved|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ures?)?|works?|implemented|updated|created|committed|pushed|merged|reverted|no longer|now (?:uses?|returns?|has|is|shows?)|found|confirmed|complete[d]?)\b/i;
const open =
  /\b(?:not yet|still|remaining|left to|todo|follow-?up|next steps?|you(?:'ll)? (?:need|should|have) to|pre-existing|unrelated|limitation|caveat|however|except)\b/i;
const goodSection =
  /\b(?:summary|conclusion|result|root cause|cause|answer|recommendation|decision|verdict|findings?|problem|fix|solution|why|what (?:was|changed)|key|tl;?dr|issue|next)\b/i;
