import { clip, listed } from '#reading/text';
import { reportMark, type Unit, unitsOf } from './units.ts';

/**
 * The changes that a report lists, each in its own words and the long ones without their details: about `max` characters. Empty when
 * the message is not a list of changes.
 */
export function reportIn(message: string, max: number): string {
  const listed = tablesListed(message);
  const found = changesListed(message, max) || (listed === message ? '' : changesListed(listed, max));
  // `shows A, B and 2 more` would be more of what the last one shows.
  return found.replace(/ and (\d+ more)$/, `${reportMark}$1`);
}

function changesListed(message: string, max: number): string {
  const units = unitsOf(withoutDepth(message));
  let above: Unit | null = null;
  let lead: Unit | null = null;
  const listItems = units.filter((unit) => {
    const { kind, at, text, section } = unit;
    if (kind !== 'item') above = unit;
    if (kind !== 'item' || at !== 0 || status.test(text) || commit.test(text)) return false;
    if (otherSection.test(section) || cause.test(text)) return false;
    if (above !== null && offers.test(above.text)) return false;
    lead ??= above;
    return true;
  });
  const parts = partsIn(units).map((unit) => ({ ...unit, text: unit.text.replace(lastWord, '') }));
  const items = parts.length > 0 ? parts : listItems;
  const changes = items.filter(isChange);
  const bare = items.filter(({ text }) => path.test(text));
  const isLed =
    parts.length > 0 ||
    doneLead.test((lead as Unit | null)?.text ?? '') ||
    (items.every(({ section }) => doneSection.test(section)) &&
      !items.every(({ text }) => placed.test(text)));
  if (items.length < 2 || bare.length * 2 > items.length) return '';
  if (!isLed && (changes.length < 2 || changes.length * 2 < items.length)) return '';
  // A list that is cut to its beginning says less than a sentence.
  if (items.length * itemCharsMin > max) return '';
  const share = Math.floor(max / items.length);
  const named = parts.length > 0 ? '' : namedIn(lead, max / 2);
  const formsIn = (chars: number): string[][] =>
    items.map(({ text }, at) =>
      formsOf(withoutEnd(text.replace(numbering, '')), share, chars).map((form) =>
        at === 0 ? named + form : form,
      ),
    );
  const leastOf = (all: readonly string[][]): string[] => all.map((form) => form.at(-1) ?? '');
  const isAll = (all: readonly string[][]): boolean => leastOf(all).join(reportMark).length <= max;
  const [long, tight] = [formsIn(clauseCharsMin), formsIn(tightCharsMin)];
  // Of many rather fewer items than such as say nothing.
  const forms = items.length <= fewItems && !isAll(long) && isAll(tight) ? tight : long;
  const shown = leastOf(forms);
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

/** The headings of a report, each with its own list, where they say what was done: `1. Removed the bell`. */
function partsIn(units: readonly Unit[]): Unit[] {
  const parts = units.filter(
    ({ kind, text }, at) =>
      kind === 'heading' && units[at + 1]?.kind !== 'heading' && (doneStart.test(text) || /^\d/.test(text)),
  );
  const done = parts.filter(({ text }) => doneStart.test(text));
  // `Updated the mill` says less than its list.
  const telling = done.filter(({ text }) => text.replace(numbering, '').split(' ').length > headWordsMin);
  return done.length > 1 && telling.length * 2 > done.length ? parts : [];
}

/** Of `Logs: it now prints:`, whose list is left out, only what it is about. */
function withoutEnd(text: string): string {
  const { head, rest } = headOf(text);
  return rest !== '' && noObject.test(rest) ? head : text.replace(dangling, '');
}

const noObject =
  /\b(?:logs|prints|shows|includes?|covers|returns|contains|does|reports|handles|supports|checks|validates|accepts|reads|writes|asks|says):$/i;

/** A table of two columns as a list, without its head and the columns that only number, place or tick its rows. */
function tablesListed(message: string): string {
  return message.replace(table, (whole: string, head: string, body: string) => {
    const rows = body
      .trim()
      .split('\n')
      .map((line) =>
        line
          .trim()
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    const isMark = (at: number): boolean => rows.every((cells) => mark.test(cells[at] ?? ''));
    const columns = [...(rows[0] ?? []).keys()];
    const said = columns.length > 2 ? columns.filter((at) => !isMark(at)) : columns;
    if (said.length > 2 || (columns.length > 2 && judged.test(head))) return whole;
    const items = rows.map((cells) =>
      said.map((at) => (cells[at] ?? '').replace(lineNumbers, '')).join(': '),
    );
    return `\n${items.map((item) => `- ${item}`).join('\n')}\n`;
  });
}

const table =
  /(?:^|\n)[^\S\n]*(\|[^\n]*\|)[^\S\n]*\n[^\S\n]*\|[-:| ]+\|[^\S\n]*\n((?:[^\S\n]*\|[^\n]*\|[^\S\n]*(?:\n|$))+)/g;
/** What the rows are measured by, or how they are now. */
const judged = /\b(?:status|verdict|result|before|after|old|new|current)\b/i;
/** A number, a commit, files, a tick. */
const mark =
  /^(?:[#\d.\s]*|`?[0-9a-f]{7,40}`?|(?:`?[\w@./-]+\.\w{1,5}(?::[\d-]+)?`?(?:, |$))+|[\u2705\u2713\u2714]\ufe0f?(?: \w+)?)$/u;
const lineNumbers = /:\d+(?:-\d+)?(?=`?$)/;
/** What was wrong is no change. */
const cause = /^(?:root )?(?:cause|problem|issue|bug|symptom)\b(?::| [\u2013\u2014-])/i;

/** Without the lists below list items, and below paragraphs that begin in bold; a short one keeps the first line of its own list. */
function withoutDepth(message: string): string {
  const lines: string[] = [];
  let open = -1;
  let isBold = false;
  let joined = -1;
  for (const line of message.slice(0, messageCharsMax).split('\n')) {
    const [, indent = '', item] = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/.exec(line) ?? [];
    const isNested = item !== undefined && open >= 0 && (isBold || /\s{2}|\t/.test(indent));
    if (isNested) {
      const above = (lines[open] ?? '').trimEnd();
      if (above.length <= shortCharsMax && (above.endsWith(':') || nameOnly.test(above)))
        [lines[open], joined] = [`${above.replace(/:?(\**)$/, ':$1')} ${item}`, open];
      else if (joined === open && !above.endsWith('\u2026')) lines[open] = `${above}, \u2026`;
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

/** `Updated the mill's page with:` of the sentence above a list; empty when it names no change of a thing. */
function namedIn(lead: Unit | null, max: number): string {
  if (lead === null || lead.kind !== 'sentence' || lead.text.length > max) return '';
  return lead.text.endsWith(':') &&
    !/^here\b/i.test(lead.text) &&
    change.test(lead.text) &&
    (thing.test(lead.text) || doneStart.test(lead.text))
    ? `${lead.text} `
    : '';
}

/** `The page has been redrawn:` */
const doneSection =
  /^(?:what (?:was|i) (?:\w+ ){0,2}(?:implemented|changed|done|did|added|fixed)|changes(?: made)?|summary of (?:the )?changes)\b/i;
/** `Core fix: `mill.ts:7`` */
const placed = /: `?[\w.@/-]+\.\w{1,5}(?::\d+(?:-\d+)?)?`?$/;
const doneLead =
  /\b(?:has|have) been (?:re|im|ex)?\w+(?:ed|ten|wn)\b[^.]{0,40}:$|^all \w+ (?:tasks|subtasks|steps|items|issues) (?:are )?(?:completed?|done|closed|implemented|fixed)\b[^.]{0,40}:$/i;
const dangling = /(?: (?:that|to|with|of|for|in|by|from|and))?:$|[.;,]+$/;
const thing = /`[^`]+`|[\w-]+\/[\w./-]+|[\w-]+\.[a-z]{1,4}\b/;
const numbering =
  /^(?:\d{1,2}[.)]\s+)?(?:(?:step|part|phase) \d{1,2}(?:\.\d{1,2})?\s*[:.\u2013\u2014-]\s*)?/i;
const doneStart =
  /^(?:\d{1,2}[.)]\s+)?(?:add|chang|clean|consolidat|convert|creat|delet|document|expos|extend|extract|fix|handl|implement|improv|inlin|introduc|merg|migrat|mov|refactor|remov|renam|replac|simplif(?:i)|support|switch|updat|wrapp)e?d (?:\S+\s+)*\S/i;
const offers = /\boptions?\b[^.]*:$|\b(?:you|we|i) (?:can|could) (?:either|also)?[^.]{0,60}:$/i;
const boldStart =
  /^\*\*[^*\n]{2,100}\*\*(?:(?: \([^)\n]*\))?(?::| [\u2013\u2014-])\s+\S| \([^)\n]*\):$)|^\*\*(?:step|part|phase) \d[^*\n]{2,100}\*\*(?: \S|:?$)/i;
const messageCharsMax = 24_000;

/** A list item in all its words, with its first clause within its share of the room, and only its subject where that says a change. */
function formsOf(text: string, share: number, least: number): readonly [string, string, string] {
  const { head, mark, rest } = headOf(text);
  const whole = within(text, Math.max(shortCharsMax, share));
  if (rest === '') return [text, whole, whole];
  const short = head.replace(/^`?(?:[\w.@-]+\/)+([\w.@-]+)`?(?= |$)/, '`$1`');
  const clause = (chars: number): string => `${short}${mark}${within(rest, chars)}`;
  const words = head.replace(brackets, '$1').replace(/`[^`]*`/g, 'x');
  const saysLittle = words.split(/\s+/).length < headWordsMin || !change.test(words);
  return [
    text,
    clause(Math.max(least, share - short.length)),
    saysLittle ? clause(least) : head.replace(preposition, ''),
  ];
}

/** The text where it fits, else its first clause. */
function within(text: string, max: number): string {
  return text.length <= max ? text : cut(clauseOf(text), max);
}

/** A phrase of some length without an open bracket or quotation, no part of a list, nor half of a replacement. */
function isWhole(phrase: string, max: number): boolean {
  const isClosed = ['`', '"'].every((mark) => phrase.split(mark).length % 2 === 1);
  return (
    phrase.length * 2 >= max &&
    isClosed &&
    !/[,(][^),]*$|\bboth\b[^,]*$|\b(?:replac|switch|chang|convert|renam|mov)\w*\b|\b(?:\w+ing|to|of|so|as|for|by|with|that|not|no|the|an?|is|are)$/i.test(
      phrase,
    )
  );
}

/** A piece of code that is cut is still code. */
function cut(text: string, max: number): string {
  const short = clip(text, max);
  // Better a whole phrase than more words without their end.
  const ends = short === text ? [] : [...short.matchAll(phraseEnd)].reverse();
  const phrase = ends
    .map(({ index }) => short.slice(0, index).replace(/[,;]$/, ''))
    .find((one) => isWhole(one, max));
  if (phrase !== undefined) return phrase;
  return short.split('`').length % 2 === 0 ? `${short}\`` : short;
}

const phraseEnd = / (?:and|for|when|with|by|via|using|alongside|including|so that|which)(?= |\u2026)/g;
const shortCharsMax = 90;
const clauseCharsMin = 80;
const tightCharsMin = 60;
const lastWord = / (?:in|with|to|of|for|by|from|on|at)$/;
const preposition = / (?:that|to|with|of|for|by|from|and)$/;
const fewItems = 3;
const headWordsMin = 3;
const itemCharsMin = 22;

/** The text up to the end of its first clause, without what stands in brackets; no mark within a piece of code ends one. */
function clauseOf(long: string): string {
  const text = long.replace(brackets, '$1');
  for (const { index } of text.matchAll(clauseEnd))
    if (text.slice(0, index).split('`').length % 2 === 1) return text.slice(0, index);
  return text;
}

/** Pieces of code stay as they are. */
const brackets = /(`[^`]*`)| \((?:[^()`]|`[^`]*`)*\)/g;
const clauseEnd = /[;.] | [\u2013\u2014-] |, (?=and |which |so |with |then )/g;

function isChange({ text }: Unit): boolean {
  return change.test(text.replace(brackets, '$1')) || path.test(headOf(text).head);
}

/** What a list item says first, up to its colon or dash, and the rest. */
function headOf(text: string): { head: string; mark: string; rest: string } {
  for (const { index, 0: mark } of text
    .slice(0, headCharsMax)
    .matchAll(/(?::| [\u2013\u2014-]| \u2192)\s+/g)) {
    const head = text.slice(0, index);
    // A mark within a piece of code, or within brackets, separates nothing.
    const isOpen = head.split('`').length % 2 === 0 || head.split('(').length > head.split(')').length;
    if (index >= headCharsMin && !isOpen)
      return { head, mark: mark.includes('\u2192') ? mark : ': ', rest: text.slice(index + mark.length) };
  }
  return { head: text, mark: '', rest: '' };
}

const headCharsMin = 3;
const headCharsMax = 104;
const path = /^`?[\w.@/-]+\.\w{1,5}`?(?: \([^)]*\))?$/;
const change =
  /\b(?:add(?:s|ed)?|remove[sd]?|delete[sd]?|change[sd]?|replace[sd]?|rename[sd]?|move[sd]?|fix(?:es|ed)?|update[sd]?|create[sd]?|implement(?:s|ed)?|now|no longer|populate[sd]?|pass(?:es|ed) [`\w]+ to|extract(?:s|ed)?|simplif(?:y|ies|ied)|convert(?:s|ed)?|wrap(?:s|ped)?|introduce[sd]?|extend(?:s|ed)?|inline[sd]?|handle[sd]?|merge[sd]?|reset(?:s)?|show(?:s|n)?|support(?:s|ed)?|rewr(?:ote|itten)|refactor(?:ed)?|switched|made|set|wired|increased|reduced|mention(?:s|ed)?)\b/i;
/** Commits have lines of their own. */
const commit = /^`?[0-9a-f]{7,40}`?(?= |:)/;
/** Says only that the checks pass. */
const status =
  /^(?:[✓✅☑]\s*)?(?:all |\d[\d,]* )?(?:`[^`]+`|tests?|lint|build|type-?check|unit|e2e|integration|ci|format)\b[^.]{0,40}\b(?:pass(?:es|ed|ing)?|clean|success(?:ful(?:ly)?)?|ok|green|no (?:errors|issues)|0 (?:errors|issues|fail(?:ures)?))\b/i;
const nameOnly = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\*\*[^*]+\*\*|`[^`]+`|,|and|\s)+(?: \([^)]*\))?$/;
const otherSection =
  /\b(?:why|reasons?|benefits?|how (?:it|this) works|next steps?|verif(?:y|ied|ication)|tests? (?:run|results?)|usage|how to|options?|questions?|not (?:done|changed)|to ?dos?|limitations?|before|current)\b/i;
