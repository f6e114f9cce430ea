import { bestUnits, type Unit, unitsOf } from './units.ts';

/** What a user's message asks for, in its own sentences: the first ones, constraints, questions, reasons. About `max` characters. */
export function requestIn(message: string, max: number): string {
  const said = message.replace(/^\s*Implement the following plan:\s*/, '').replace(/^\/[\w:.-]+ /, '');
  const units = unitsOf(said);
  const written = units.filter(({ kind, text }) => kind !== 'pasted' && !introduces.test(text));
  const from = written.length === 0 ? units : written;
  if (from.length === 0) return bestUnits(unitsOf(message.replaceAll('```', '')), [1], max);
  const whole = bestUnits(
    from,
    from.map(() => 1),
    max,
  );
  const isShort = from.reduce((chars, { text }) => chars + text.length + 2, 0) <= max;
  return isShort ? whole : bestUnits(from, from.map(scoreOf), max);
}

function scoreOf(unit: Unit, index: number): number {
  const { text, kind, section, at } = unit;
  let score = 1 + (firstPlaces[index] ?? 0);
  if (kind === 'heading') return index === 0 ? 6 : -1;
  if (text.endsWith(':')) score -= 2;
  if (/\?["')]?$/.test(text)) score += 2.5;
  if (wish.test(text)) score += 2;
  if (constraint.test(text)) score += 2;
  if (reason.test(text)) score += 2;
  if (named.test(text)) score += 0.5;
  if (goodSection.test(section)) score += at === 0 ? 2 : 1;
  if (poorSection.test(section)) score -= 2;
  if (index > 0 && chore.test(text)) score -= 3;
  if (index > 0 && leans.test(text)) score -= 2;
  if (kind === 'row') score -= 1;
  if (text.split(' ').length < 4) score -= 1;
  return score;
}

/** `Here is the doc: # Parameters` */
const introduces = /^here(?:['’]s| is| are) (?:the|my|an?|some) [\w ]{1,30}:(?: #.*)?$/i;
/** Where to change what, and how to check it. */
const chore =
  /^(?:(?:new |modified )?files?(?: to \w+)?:|run `|verify\b|lines? \d|manual(?:ly)?\b|add (?:tests?|method|field|import)|insert\b|update `|extend `)/i;
/** `Wire this into the page` says nothing without the sentence before it. */
const leans = /^(?:(?:and|then|also|please) )?[a-z]+ (?:this|that|it|these|those|them)\b/i;
const firstPlaces = [4, 3, 1.5, 1];
const constraint =
  /\b(?:must|should|shall|don'?t|do not|never|always|only|instead|without|make sure|ensure|need(?:s|ed)? to|prefer|avoid|no need|at least|at most|not? more|i want|we want|has to|have to|keep|let'?s)\b/i;
const wish = /\b(?:can|could|would) (?:you|we)\b|\bplease\b|\bhelp me\b/i;
const reason =
  /\b(?:because|since|so that|due to|the (?:problem|issue|reason|cause|goal|idea|point)|root cause|otherwise|therefore|currently)\b/i;
const named = /`[^`]+`|\b[\w-]+\/[\w./-]+|\b[\w-]+\.[a-z]{2,4}\b|\b[a-z]+[A-Z]\w+/;
const goodSection =
  /\b(?:context|problem|goal|overview|root cause|approach|solution|decisions?|key|why|summary|issue|fix|background|motivation|purpose|requirements?|constraints?)\b/i;
const poorSection =
  /\b(?:verification|verify|test(?:s|ing)?|files?|steps?|implementation|checklist|critical|changes|order|commands?)\b/i;
