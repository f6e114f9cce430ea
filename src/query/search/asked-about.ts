import { type Said, spanIn } from '#query/when';
import { isStopWordInTalk } from '#reading/terms';

/** A date that a query asks about. */
export interface AskedAbout extends Said {
  /** Nothing but the date is asked for: `what did we do yesterday`. */
  readonly isAlone: boolean;
}

/**
 * The date that limits what a query asks for: in a question, a request to look something up, or a name with its date. A date that a
 * report or a task mentions says when something happened to somebody, not when memory has it: null, as without a date.
 */
export function askedAbout(text: string, nowMs: number): AskedAbout | null {
  if (isReport(text.trim())) return null;
  const said = spanIn(text, nowMs);
  if (said === null || isEvent.test(said.said) || isQuoted(text, said.said)) return null;
  const rest = said.rest.replace(/\s+/g, ' ').trim();
  if (!asks(text.trim(), rest.replace(/^[\s,:;-]+/, ''))) return null;
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return { ...said, isAlone: words.every((word) => isStopWordInTalk(word) || anyWork.test(word)) };
}

/** No question is as long, or has several lines or sentences. Asked first: looking for dates takes longer. */
function isReport(text: string): boolean {
  return text.length > charsMax || text.includes('\n') || /[.?!]\s+\p{Lu}/u.test(text);
}

function asks(text: string, rest: string): boolean {
  const plain = rest.replace(polite, '');
  if (question.test(plain)) return true;
  return !(statement.test(text) || task.test(plain) || happens.test(plain));
}

/** What stands in quotes within other words is an example or an argument: `formatDate("2026-01-01")`; not a query that is quoted as a whole. */
function isQuoted(text: string, said: string): boolean {
  const at = text.indexOf(said);
  return [...text.matchAll(quotes)].some(
    ({ 0: quoted, index }) => index < at && at < index + quoted.length && quoted !== text.trim(),
  );
}

const quotes =
  /"[^"]*"|`[^`]*`|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb|(?<![\p{L}\p{N}])'[^']*'(?!\p{L})/gu;

const charsMax = 200;

/** `after last week's` deploy: the deploy may have been on any of its days. */
const isEvent = /^(?:since|after|before|until|till|up to)\b.*'s$/i;

const polite = /^(?:(?:please|hey|hi|(?:can|could|would) you)[\s,]+)+/i;

const question =
  /^(?:what|what's|which|who|whose|where|when|why|how|do|does|did|is|are|was|were|has|have|had|any|anything|everything|all|(?:show|tell|give|remind|catch) (?:me|us)|look up|recall|recap|list|find|search)\b/i;

/** How somebody begins to report. */
const statement = /^(?:i|it|we|they|he|she|this|that|there|my|our|your|users?|customers?|as|since)\b/i;

/** Work to do: `fix: ...`, or a verb that an object follows. */
const task =
  /^(?:[a-z]+(?:\([^)]*\))?!?: |(?:add|allow|bump|change|clean|create|delete|disable|drop|enable|ensure|extend|fix|handle|hide|implement|improve|let|log|make|merge|move|pick|prevent|refactor|remove|rename|replace|reproduce|restore|retry|revert|rewrite|run|seed|set|split|support|test|update|use|write)\b(?! (?:of|from|in|on|at|to)\b))/i;

/** A clause of its own, but not one that says which thing is meant: `that was reported`, `we fixed`. */
const happens =
  /(?<!\b(?:that|which|who|what) )\b(?:is|are|was|were|has|have|had|been|does|will|cannot|can't|doesn't|isn't|fails|failing|hangs|crashes|breaks|broke|broken|throws|returns|turns|shows?|logs|loses|starts|stops|stopped|charged|rejected|expired|reports? that|ran|worked|works|get|gets)\b/i;

/** What any work is called. */
const anyWork =
  /^(?:do|does|did|done|doing|happen(?:ed|s|ing)?|work(?:ed|s|ing)?|chang(?:e[ds]?|ing)|go|going|goes|went|get|got|up|off|left|far|so|sessions?|summar(?:y|i[sz]e)|recap|overview|history|log|activity|progress|news|status|report|standup|any|anything|everything|all|things?|accomplish(?:ed)?|achieved?|finish(?:ed)?|show|tell|give|list|catch|remind|look|there|s|team|everyone)$/;
