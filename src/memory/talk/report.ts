import { clip, listed } from '../../calls/text/index.ts';
import { type Unit, unitsOf } from './units.ts';

/** What separates the changes of a report that stands on one line. */
export const reportMark = ' • ';

/**
 * The changes that a report lists, each in its own words and the long ones without their details: about `max` characters. Empty when
 * the message is not a list of changes.
 */
export function reportIn(message: string, max: number): string {
  const items = unitsOf(withoutDepth(message)).filter(
    ({ kind, at, text, section }) =>
      kind === 'item' && at === 0 && !status.test(text) && !otherSection.test(section),
  );
  const changes = items.filter(isChange);
  const bare = items.filter(({ text }) => path.test(text));
  if (changes.length < 2 || changes.length * 2 < items.length || bare.length * 2 > items.length) return '';
  // A list that is cut to its beginning says less than a sentence.
  if (items.length * itemCharsMin > max) return '';
  const share = Math.floor(max / items.length);
  const forms = items.map(({ text }) => formsOf(text.replace(/^\d{1,2}[.)]\s+|[.;,:]+$/g, ''), share));
  const shown = forms.map((all) => all.at(-1) ?? '');
  let left = max - shown.join(reportMark).length;
  // Each item gets a clause before any gets all of its words.
  for (const level of [1, 0]) {
    for (const [at, all] of forms.entries()) {
      const [before = '', longer = ''] = [shown[at], all[level]];
      if (longer.length <= before.length || longer.length - before.length > left) continue;
      left -= longer.length - before.length;
      shown[at] = longer;
    }
  }
  return listed(shown, max, reportMark);
}

/** Without the lists below list items, and below paragraphs that begin in bold; a short one keeps the first line of its own list. */
function withoutDepth(message: string): string {
  const lines: string[] = [];
  let open = -1;
  let isBold = false;
  for (const line of message.slice(0, messageCharsMax).split('\n')) {
    const [, indent = '', item] = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(line) ?? [];
    const isNested = item !== undefined && open >= 0 && (isBold || /\s{2}|\t/.test(indent));
    if (isNested) {
      const above = (lines[open] ?? '').trimEnd();
      if (above.length <= shortCharsMax && above.endsWith(':')) lines[open] = `${above} ${item}`;
      continue;
    }
    if (line.trim() !== '') {
      isBold = boldStart.test(line);
      open = isBold || item !== undefined ? lines.length : -1;
    }
    lines.push(isBold && line.trim() !== '' ? `- ${line}` : line);
  }
  return lines.join('\n');
}

const boldStart = /^\*\*[^*\n]{2,100}\*\*(?: \([^)\n]*\))?(?::| [\u2013\u2014-])\s+\S/;
const messageCharsMax = 24_000;

/** A list item in all its words, with its first clause within its share of the room, and only its subject where that says enough. */
function formsOf(text: string, share: number): readonly [string, string, string] {
  const { head, rest } = headOf(text);
  if (rest === '') return [text, cut(text, shortCharsMax), cut(text, shortCharsMax)];
  const short = head.replace(/^`?(?:[\w.@-]+\/)+([\w.@-]+)`?(?= |$)/, '`$1`');
  const clause = (chars: number): string => `${short}: ${cut(clauseOf(rest), chars)}`;
  const saysLittle = head.replace(/`[^`]*`/g, 'x').split(/\s+/).length < headWordsMin;
  const least = saysLittle ? clause(clauseCharsMin) : head;
  return [text, clause(Math.max(clauseCharsMin, share - short.length)), least];
}

/** A piece of code that is cut is still code. */
function cut(text: string, max: number): string {
  const short = clip(text, max);
  return short.split('`').length % 2 === 0 ? `${short}\`` : short;
}

const shortCharsMax = 90;
const clauseCharsMin = 40;
const headWordsMin = 3;
const itemCharsMin = 22;

/** The text up to the end of its first clause; no mark within a piece of code ends one. */
function clauseOf(text: string): string {
  for (const { index } of text.matchAll(clauseEnd))
    if (text.slice(0, index).split('`').length % 2 === 1) return text.slice(0, index);
  return text;
}

const clauseEnd = /[;.] | \(| [\u2013\u2014-] |, (?=and |which |so |with |then )/g;

function isChange({ text }: Unit): boolean {
  return change.test(text) || path.test(headOf(text).head);
}

/** What a list item says first, up to its colon or dash, and the rest. */
function headOf(text: string): { head: string; rest: string } {
  const found = /^(.{3,100}?)(?::| [\u2013\u2014-]| \u2192)\s+(.+)$/s.exec(text);
  // A mark within a piece of code separates nothing.
  if (found === null || (found[1] ?? '').split('`').length % 2 === 0) return { head: text, rest: '' };
  return { head: found[1] ?? '', rest: found[2] ?? '' };
}

const path = /^`?[\w.@/-]+\.\w{1,5}`?(?: \([^)]*\))?$/;
const change =
  /\b(?:add(?:s|ed)?|remove[sd]?|delete[sd]?|change[sd]?|replace[sd]?|rename[sd]?|move[sd]?|fix(?:es|ed)?|update[sd]?|create[sd]?|implement(?:s|ed)?|now|no longer|populate[sd]?|pass(?:es|ed) [`\w]+ to|extract(?:s|ed)?|simplif(?:y|ies|ied)|convert(?:s|ed)?|wrap(?:s|ped)?|introduce[sd]?|extend(?:s|ed)?|inline[sd]?|handle[sd]?|merge[sd]?|reset(?:s)?|show(?:s|n)?|support(?:s|ed)?|rewr(?:ote|itten)|refactor(?:ed)?|switched|made|set|wired|increased|reduced|mention(?:s|ed)?)\b/i;
/** Says only that the checks pass. */
const status =
  /^(?:[✓✅☑]\s*)?(?:all |\d[\d,]* )?(?:`[^`]+`|tests?|lint|build|type-?check|unit|e2e|integration|ci|format)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|clean|success(?:ful(?:ly)?)?|ok|green|no (?:errors|issues)|0 (?:errors|issues|fail(?:ures)?))\b/i;
const otherSection =
  /\b(?:next steps?|verif(?:y|ied|ication)|tests? (?:run|results?)|usage|how to|options?|questions?|not (?:done|changed)|to ?dos?|limitations?|before|current)\b/i;
