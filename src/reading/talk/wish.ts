import { clip } from '#reading/text';
import { requestIn } from './request.ts';
import { type Unit, unitsOf } from './units.ts';

/** What a plan wants, by its first section: the sentence that says so, else the problem. With the items of the list it introduces. */
export function wishIn(plan: string, max: number): string {
  const units = unitsOf(firstSection(plan)).filter(({ text }) => /\p{L}{3}/u.test(text));
  const said = units.filter(({ kind }) => kind !== 'pasted' && kind !== 'row');
  for (const form of wishes) {
    const at = said.findIndex(({ text, kind }) => kind === 'sentence' && form.test(text));
    if (at >= 0) return withContext(said, at, max);
  }
  const next = said.findIndex((unit, at) => at > 0 && unit.at === 0);
  const problem = next < 0 ? said : said.slice(0, next);
  const isList = said[next]?.kind === 'item' || problem.length === 1;
  if (isList && problem.at(-1)?.text.endsWith(':') === true)
    return withContext(said, problem.length - 1, max);
  const whole = problem.filter(({ text }, at) => at === 0 || !text.endsWith(':'));
  return requestIn(whole.map(({ text }) => text).join('\n'), max);
}

/** Up to the second heading; a bold line is one of its sentences. */
function firstSection(plan: string): string {
  const lines = plan.split('\n').map((line) => line.replace(/^\s*\*\*([^*]+?:?)\*\*(:?)\s*$/, '$1$2'));
  const from = /^#+ /.test(lines[0] ?? '') ? 1 : 0;
  const end = lines.findIndex((line, at) => at >= from && /^#+ /.test(line));
  const section = lines.slice(from, end < 0 ? undefined : end).join('\n');
  return /\p{L}{3}/u.test(section) || end < 0 ? section : firstSection(lines.slice(end).join('\n'));
}

/** Those who want it, then the aim, then what is to be done. */
const wishes = [
  /\b(?:the )?users? (?:wants?|asked|requested|would like|needs?)\b|\bwe want\b|\bi(?:'d like| want)\b/i,
  /^(?:(?:the )?(?:goal|fix|aim|objective|objectif|ziel|objetivo|solution)\b ?(?::| is\b))|\bthe (?:goal|aim) is\b/i,
  /\bthis plan\b|\bwe(?:'ll| will| need to| should)\b|^(?!this is\b).*\bshould (?:be|only|use|not|have|automatically)\b|\bto (?:fix|do|add|change)\b.{0,40}:$|^(?:the|this) (?:redesign|change|fix) \w+s\b/i,
  /^the (?:bug|problem|issue)\b ?(?::|is\b)/i,
];

/** A wish with the rest of its paragraph when it is stated as the goal, and with what stands before when it refers to that or is short. */
function withContext(said: readonly Unit[], at: number, max: number): string {
  const wish = withItems(said, at, max).replace(/^(?:goal|objective|aim):\s*(?=\S)/i, '');
  const before = said[at - 1];
  const after = said[at + 1];
  const fits = (other: string): boolean => other.length + wish.length <= max + listCharsMore;
  const isWhole = after !== undefined && after.at > 0 && !after.text.endsWith(':') && fits(after.text);
  if (aim.test(said[at]?.text ?? '') && isWhole) return `${wish} ${after.text}`;
  const isClear = wish.length >= shortCharsMax && !refers.test(wish);
  if (isClear || before?.kind !== 'sentence' || before.text.endsWith(':')) return wish;
  const all = said.slice(0, at).map(({ text }) => text);
  const context = [all.join(' '), before.text].find(fits);
  return context === undefined ? wish : `${context} ${wish}`;
}

const shortCharsMax = 100;
const aim = /^(?:the )?(?:goal|fix|aim|objective|solution|bug|problem|issue):/i;
const refers = /^(?:this is|it|these|they|that|those)\b/i;

/** A sentence, and if it introduces a list, the items: whole when they fit, else each without its details. */
function withItems(said: readonly Unit[], at: number, max: number): string {
  const lead = said[at]?.text ?? '';
  if (!lead.endsWith(':')) return clip(lead, max + wholeCharsMax);
  const after = said.slice(at + 1);
  const end = after.findIndex(({ kind }) => kind !== 'item');
  const items = (end < 0 ? after : after.slice(0, end))
    .filter((unit) => unit.at === 0)
    .map(({ text }) => text.replace(/[.;]$/, ''));
  if (items.length === 0) return clip(`${lead} ${after[0]?.text ?? ''}`.trim(), max + wholeCharsMax);
  const whole = `${lead} ${items.join('; ')}`;
  if (whole.length <= max + listCharsMore) return whole;
  const short = items.map((text) => text.split(/ [\u2013\u2014-] | \(|[:;.] /)[0] ?? text);
  return clip(`${lead} ${short.join('; ')}`, max + wholeCharsMax);
}

const wholeCharsMax = 400;
const listCharsMore = 80;
