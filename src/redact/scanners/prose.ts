import { endAt, isWord, matchAt, type Range, ranks, type Scanner } from '#redact/form';
import { atEndOfLine, bracketedAt, closing, isValueAt, judgedCharsMax, valueAt } from './prose-extent.ts';
import { generatedNear, otherThings, pairNear, phraseAfter } from './prose-near.ts';
import { lowerCase, type Noun, nounAt, nounKeywords } from './prose-nouns.ts';
import { judgeSaid, kindOfNoun, type Link, type SaidNoun } from './prose-value.ts';

const crowdedNounsMax = 8;
const wordsBetweenMax = 8;
const lookedBackChars = 60;
/** Eight words of 30 characters. */
const linkCharsMax = 240;

/**
 * Secrets in sentences, where no sign assigns them: `the password for staging is x`, `use token x`, `x is my password`,
 * `Here is my API key: x, please`, `log in as user / x`, `mein Passwort lautet x`.
 */
export const prose: Scanner = {
  keywords: nounKeywords,
  begin(text, add) {
    let crowded = 0;
    return (start, end, readUpTo) => {
      const noun = mayBeSaid(text, start, end) ? nounAt(text, start) : undefined;
      if (noun === undefined) return 0;
      // Many nouns in one run without a space are not a sentence, and each would read the rest of the run.
      const isCrowded = start - readUpTo < 32 && !/\s/.test(text.slice(readUpTo, start));
      crowded = isCrowded ? crowded + 1 : 0;
      let upTo = noun.end;
      let found = crowded > crowdedNounsMax ? undefined : saidNear(text, start, noun);
      for (; found !== undefined; found = nextOf(text, found.end, noun.kind)) {
        upTo = Math.max(upTo, found.end);
        add({ ...found, kind: kindOfNoun(noun.kind), rank: ranks.hint });
      }
      return upTo;
    };
  },
};

function saidNear(text: string, start: number, noun: Noun): Range | undefined {
  return valueAfter(text, start, noun) ?? valueBefore(text, start, noun) ?? nearby(text, start, noun);
}

const lead =
  'for|of|to|on|in|at|from|by|that|which|i|we|you|he|she|they|für|vom|zum|von|auf|im|pour|de|du|del|della|do|da|di|van|voor|till|för|na|от|для|к|от';
const filler = `(?:\\(?[ \\t](?:${lead})(?:[ \\t][^\\s,;!?"'\`()]{1,30}){1,7}?\\)?)`;
const adverb =
  'now|still|just|literally|currently|actually|probably|simply|always|jetzt|noch|immer|maintenant|ahora|agora|adesso|nu|teraz|теперь|şimdi';
const verb =
  'is|was|are|were|(?:will|would|should|must|can|has to|have to|needs? to) be|remains|equals|to|adalah|είναι|е|है|ist|war|lautet|heißt|est|était|vaut|es|era|é|è|är|er|este|je|jest|это|це|є|là|הוא|היא|זה|هو|هي|=';
const copula = `(?:[ \\t](?:${verb})(?=[\\s:："'\`*_“„«(])(?:[ \\t](?:${adverb}))?(?:[ \\t](?:set|changed|reset)[ \\t]to)?(?:[ \\t]?[:：])?|[ \\t]?(?:[是为為는은は]|คือ))`;
const sign = '(?:[ \\t]?(?:[:：=＝]|[—–→]|->|=>)|[ \\t]-(?=[ \\t]))';
/** What a name is set with: only for values that look generated. */
const setter =
  '(?:[ \\t](?:as|with|auf|mit|à|en|como|para|su|come|op|на|в|у|olarak)(?=[ \\t])|[ \\t]?(?:[设設](?:置|定)?[为為成]|改[为為成]|等于|[をが이가을를로]))';
/** Around a noun: `**API key**`, `the API key (staging)`. */
const around = '[*_"\'`»”]{0,3}(?:[ \\t]?[(（][^()\\n]{1,40}[)）])?';
const gap = '(?:[ \\t]{0,4}\\n{1,2}(?:```\\w{0,12}\\n)?[ \\t>]{0,4}|[ \\t]{0,4})';

const said = new RegExp(`${around}${copula}`, 'y');
const saidOf = new RegExp(`${filler}(?:${copula}|${sign})`, 'y');
const signed = new RegExp(`${around}${sign}`, 'y');
const setTo = new RegExp(`${around}${setter}`, 'y');
const follows =
  '[はは는은]?[ \\t]?(?:次の通り(?:です)?|以下の通り(?:です)?|如下|다음과 같습니다|as follows)[:：.。]?';
const shown = new RegExp(
  `(?:(?:${filler}|${copula}(?:[ \\t][^\\s:]{2,40}){0,5}|(?:[ \\t][a-zà-žа-яіїє]{2,16}){1,2})?[ \\t]?[:：]${gap}|(?:(?:${filler})?${copula}|${follows})[ \\t]{0,4}\\n[ \\t>]{0,4})`,
  'y',
);
const pair =
  /(?:[ \t](?:is|are|sind|sont|son|with|using|as|als|mit|avec|con|into|it|in|via|user)){0,4}[ \t]?[:：]?[ \t]{0,2}["'`]?(?!\d+[-:./])[\w.@+-]{2,40}["'`]?(?:[ \t]?[/:][ \t]?|[ \t](?:and|with|using|und|et|y|e|mit|con|avec|com|met|med)[ \t])/y;
/** `creds: admin x` */
const userAnd = /[ \t]?[:：][ \t]{0,2}[\w.@+-]{2,40}(?:,| -)?[ \t]/y;
/** What comes before a noun whose value follows it without a verb. */
const asked =
  /(?:^|[\s(])(?:use|using|with|try|enter|type|mit|nimm|avec|utilise|con|usa|com|use|met|med|and|und|provide|store|(?:user|utente|benutzer|usuario|usuário|utilisateur|gebruiker|login):?[ \t]\S{2,40},?)(?:[ \t](?:the|this|my|our|a|new|same|dem|das|le|el|la|il|o)){0,2}(?:[ \t][a-z]{2,12})?[ \t]$/;
/** `x is the password`, `x as my password`. */
const isCalled =
  /[ \t](?:(?:is|was|as|ist|war|als|est|es|é|è|comme|como|come|это|jest)[ \t](?:(?:the|my|our|your|a|das|mein|unser|der|le|ma|mon|la|mi|il|o|sua|minha|meu|мой|наш|mój)[ \t])(?:[a-zà-žа-яіїє]{1,16}[ \t-]){0,3}|(?:是|は|作为|作為)[ \t]?(?:我的|私の)?[ \t]?|ك)$/;
const isPutIn = /[ \t](?:in|into|as|for|to)[ \t](?:the[ \t])?$/;
/** Not the first part of a longer name: `x is the password hash`. */
const ended =
  /^(?:$|[.,;:!?)\n]|[ \t](?:for|of|on|in|to|and|für|pour|para|per|de|del|du|we|i|you)[ \t]|[ \t]ل)/i;

function valueAfter(text: string, start: number, { kind, end, isForeign }: Noun): Range | undefined {
  if (!mayLead(text, end)) return undefined;
  const read = linksAfter(text, end);
  if (kind === 'login') return read(pair, 'password', 'loose') ?? read(userAnd, 'password', 'written');
  const found =
    read(said, kind, 'direct') ??
    read(saidOf, kind, 'loose') ??
    (isForeign ? read(signed, kind, 'direct') : undefined) ??
    (kind === 'token' || kind === 'key' ? read(setTo, kind, 'direct') : undefined) ??
    atEndOfLine(read(shown, kind, 'loose'), text);
  const isWritten =
    !isForeign && kind === 'password' && /[a-z] $/.test(text.slice(Math.max(0, start - 2), start));
  const written = found ?? (isWritten ? read(signed, kind, 'written') : undefined);
  if (written !== undefined || !isApart(text, end)) return written;
  const isAsked =
    (isForeign && kind === 'password') ||
    text.startsWith(' (', end) ||
    asked.test(lowerCase(text, Math.max(0, start - lookedBackChars), start));
  return (isAsked ? accepted(text, end, kind, 'loose') : undefined) ?? nearValue(text, end, kind, isForeign);
}

/** `value` after a name such as `NAME_TOKEN`, which a sentence leads to: `set NAME_TOKEN to x`, `NAME_TOKEN is x`. */
export function saidValue(text: string, end: number, noun: SaidNoun): Range | undefined {
  // `NAME=x` and `NAME: x` are assignments.
  if (!mayLead(text, end) || /^[ \t]{0,4}[:=]/.test(text.slice(end, end + 5))) return undefined;
  const read = linksAfter(text, end);
  return (
    read(said, noun, 'direct') ??
    read(setTo, noun, noun === 'password' ? 'near' : 'direct') ??
    read(saidOf, noun, 'loose') ??
    (isApart(text, end) ? nearValue(text, end, noun) : undefined)
  );
}

/** Most nouns in code are followed by a bracket or a comma, and have no space before them. */
function mayBeSaid(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) > 127 || isBlank(text.charCodeAt(end - 1))) return true;
  let at = end;
  while (at - end < 16 && isWord(text.charCodeAt(at))) at++;
  return mayLead(text, at) || ' \t-'.includes(text.charAt(start - 1));
}

function mayLead(text: string, at: number): boolean {
  if (at >= text.length) return false;
  return (
    ' \t:=*_"\'`(\n\r'.includes(text.charAt(at)) || text.charCodeAt(at) > 127 || text.charCodeAt(at - 1) > 127
  );
}

type ReadLink = (link: RegExp, noun: SaidNoun, how: Link) => Range | undefined;

/** Reads the links after a noun, in lower case. */
function linksAfter(text: string, at: number): ReadLink {
  const ahead = lowerCase(text, at, at + linkCharsMax);
  return (link, noun, how) => {
    const end = endAt(link, ahead, 0);
    return end === undefined ? undefined : accepted(text, at + end, noun, how);
  };
}

/** The next word that is not a plain one, in the same sentence. */
function nearValue(text: string, from: number, noun: SaidNoun, isForeign = false): Range | undefined {
  if (noun === 'pin' || noun === 'key' || !/\d/.test(text.slice(from, from + linkCharsMax))) return undefined;
  let at = from;
  for (let words = 0; words < wordsBetweenMax; words++) {
    const end = endOfPlainWord(text, at);
    if (end === undefined) break;
    at = end;
  }
  if (!isApart(text, at)) return undefined;
  const how =
    noun === 'token' && at === from ? 'next' : isForeign && noun === 'password' ? 'written' : 'near';
  return accepted(text, at, noun, how);
}

/** Letters of any script, and a comma or colon, before a space. */
function endOfPlainWord(text: string, from: number): number | undefined {
  let at = from;
  while (at - from < 2 && isBlank(text.charCodeAt(at))) at++;
  const start = at;
  // French puts a space before a colon.
  if (at > from && text.charCodeAt(at) === 58 && isBlank(text.charCodeAt(at + 1))) return at + 1;
  while (at - start < 24 && isPlain(text.charCodeAt(at))) at++;
  if (at === start) return undefined;
  const sign = text.charCodeAt(at);
  if (sign === 44 || sign === 58 || sign === 0xff1a) at++;
  return isBlank(text.charCodeAt(at)) ? at : undefined;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** A letter, a hyphen or an apostrophe; the punctuation of Unicode is from U+2000 on. */
function isPlain(code: number): boolean {
  const lower = code | 32;
  if ((lower >= 97 && lower <= 122) || code === 45 || code === 39 || code === 0x2019) return true;
  return code > 0xbf && !(code >= 0x2000 && code <= 0x303f) && code < 0xff00;
}

/** `NAME=x` is an assignment, and only other scripts put a value directly behind a word. */
function isApart(text: string, at: number): boolean {
  return ' \t"\'`(（“„‘«「『'.includes(text.charAt(at)) || text.charCodeAt(at - 1) > 127;
}

function valueBefore(text: string, start: number, { kind, end }: Noun): Range | undefined {
  if (kind === 'login' || !ended.test(text.slice(end, end + 8))) return undefined;
  return before(isCalled, text, start, kind, 'loose');
}

/** Another value behind one: `API keys: x and y`, `swap the key x for y`, the next item of a list. */
function nextOf(text: string, from: number, kind: Noun['kind']): Range | undefined {
  const at = endAt(chain, text, from);
  return at === undefined ? undefined : accepted(text, at, kind === 'login' ? 'password' : kind, 'near');
}
const chain =
  /["'`”’»\]>*]{0,3}(?:[,;/]?[ \t](?:and|und|et|y|e|i|и|en|og|och|or|oder|ou|o|with|for|to|by|durch|mit|par|por|con|com|на|then)[ \t]|[,;/][ \t]?|(?:[,;]?[ \t]{0,4}\r?\n[ \t]{0,8}(?:[-*•+]|\d{1,2}[.)])[ \t]{1,4})(?:[\w. -]{1,32}[:=][ \t]{0,4})?)["'`“„«[<*]{0,3}/y;

/** The value alone on the next line: `here's the token` and a line with it. */
function valueBelow(text: string, from: number, noun: SaidNoun): Range | undefined {
  const [whole = '', value] = (noun === 'pin' ? null : matchAt(lineBelow, text, from)) ?? [];
  if (value === undefined || sumOrCode.test(value)) return undefined;
  const how = noun === 'password' ? 'near' : 'direct';
  const end = from + whole.length;
  return judgeSaid(value, noun === 'key' ? 'token' : noun, how, false)
    ? { start: end - value.length, end }
    : undefined;
}
const lineBelow =
  /[*_"'`»”]{0,3}(?:[ \t][\p{L}'’]{1,16}){0,4}[.!…:：]?[*_]{0,2}[ \t]{0,4}(?:\r?\n){1,2}(?:```\w{0,12}\r?\n)?[ \t>]{0,8}["'`]?([!#-&(-_a-~]{8,512})(?=["'`]?[ \t]{0,8}(?:\r?\n|$))/uy;
const sumOrCode = /^[\da-f]{7,12}$|^[\da-f]{40}$|[()[\]{}<>;]|^[-+\w.]+=/i;

const isOfPhrase = /phrase|mnemonic|fra[sz]|фраз|zin$|フレーズ|문구/i;

function nearby(text: string, start: number, { kind, end }: Noun): Range | undefined {
  if (kind === 'login') return pairNear(text, start, end);
  const phrase = isOfPhrase.test(text.slice(start, end)) ? phraseAfter(text, end) : undefined;
  const found = phrase ?? generatedNear(text, start, end, kind) ?? valueBelow(text, end, kind);
  // `Here are the keys:` and a list of them.
  const colon = /^[^\n:]{0,40}:(?=[ \t]{0,4}\r?\n)/.exec(text.slice(end, end + lookedBackChars));
  return found ?? (colon === null ? undefined : nextOf(text, end + colon[0].length, kind));
}

/** `x` before a name such as `NAME_TOKEN`: `put x in NAME_TOKEN`, `use x as NAME_TOKEN`. */
export function saidBefore(text: string, start: number, noun: SaidNoun): Range | undefined {
  const isLed = /[nosre]/.test(text.charAt(start - 2)) && isBlank(text.charCodeAt(start - 1));
  return isLed ? before(isPutIn, text, start, noun, 'near') : undefined;
}

/** The value before a link that ends at `start`. */
function before(link: RegExp, text: string, start: number, noun: SaidNoun, how: Link): Range | undefined {
  const window = lowerCase(text, Math.max(0, start - lookedBackChars), start);
  const found = link.exec(window);
  if (found === null || otherThings.test(found[0])) return undefined;
  let end = start - window.length + found.index;
  const quoted = closing.test(text.charAt(end - 1));
  if (quoted) end--;
  let from = end;
  while (from > 0 && end - from < judgedCharsMax && isValueAt(text, from - 1)) from--;
  const value = text.slice(from, end).replace(/^[*_~]{1,3}(?=.*[*_~]$)|[*~]{1,3}$/g, '');
  return judgeSaid(value, noun, how, quoted) ? { start: from, end } : undefined;
}

/** The value at `at`, if it is a secret. */
function accepted(text: string, at: number, noun: SaidNoun, how: Link): Range | undefined {
  const value = valueAt(text, at) ?? bracketedAt(text, at);
  if (value === undefined) return undefined;
  const { start, end, quoted } = value;
  // `ghp_ab...` is already cut, and `f(x)` is a call.
  if (/^(?:\.{2}|…|[([])/.test(text.slice(end, end + 2))) return undefined;
  return judgeSaid(text.slice(start, end), noun, how, quoted) ? { start, end } : undefined;
}
