import { endAt, isPlaceholder, isWordy, looksRandom, ranks, type Span } from '#redact/form';
import { handed, isAccess, isEntered, isNamed, namesKey, opensByNumber } from './prose-context.ts';
import { closing, opening, otherThings } from './prose-near.ts';
import { measure, technical } from './prose-value.ts';

/** Longer lines are data. */
const lineCharsMax = 4_000;
const lookedBackChars = 240;

/**
 * Secrets that no noun names: in a line of running prose, a word with the form of a password is one. The less its form
 * says, the more must the words around it.
 */
export function shapesIn(text: string, add: (span: Span) => void): void {
  let above = -1;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const oddAt = end - start <= lineCharsMax ? firstOdd(text, start, end) : -1;
    const isAlone = oddAt < 0 && above >= 0 && end - start <= 100 && alone.test(text.slice(start, end));
    if (oddAt >= 0 || isAlone) readLine(text, Math.max(oddAt, start), end, above < 0 ? start : above, add);
    if (end - start > 1) above = oddAt === -1 ? -1 : start;
    start = end + 1;
  }
}
const alone = /^[\s>*•-]{0,8}(?:\w{1,12}: )?[!-~]{6,80}\s*$/;

/**
 * Where a line of running prose has the first sign that no plain word has; -2 if it has none, -1 if the line is none. Most of prose
 * is small letters, every tenth sign a space, and few are of code; most other lines are settled by their ends.
 */
function firstOdd(text: string, start: number, end: number): number {
  let at = start;
  while (at - start < 6 && text.charCodeAt(at) === 32) at++;
  const length = end - at;
  if (length < 8 || bounds[text.charCodeAt(end - 1)] === 2) return -1;
  const first = bounds[text.charCodeAt(at)];
  if (first === 1 || (first === 3 && endAt(counted, text, at) === undefined)) return -1;
  let [odd, plain, spaces, signs] = [-2, 0, 0, 0];
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? kinds[code] : code < 0x2000 ? 1 : code > 0x3000 ? 5 : 0;
    if (kind === 1) plain++;
    else if (kind === 2) spaces++;
    else if (kind === 3) odd = odd < 0 ? at : odd;
    else if (kind === 4 && ++signs * 25 > length) return -1;
    else if (kind === 5 && ++spaces) plain += 2;
  }
  return spaces >= 2 && spaces * 16 >= length && (plain + spaces) * 2 >= length ? odd : -1;
}

/** `1.`, `2)`, `12:30`, `//` */
const counted = /\d{1,2}[.):]|\/\//y;

/** The class of each sign: one more than its place in the list. */
function classesOf(...lists: string[]): Uint8Array {
  return Uint8Array.from(
    { length: 128 },
    (_, code) => 1 + lists.findIndex((list) => list.includes(String.fromCharCode(code))),
  );
}
/** 1: no prose begins with it; 2: nor ends; 3: only if it counts. */
const bounds = classesOf('$+=&%,@};\t\r\n]', '{[(|\\><', '/0123456789');
/** 1: letters of plain words; 2: space; 3: odd in a word; 4: signs of code; 5: letters of scripts without spaces. */
const kinds = classesOf('abcdefghijklmnopqrstuvwxyz', ' ', '0123456789!#$%&*^?~_-+', '{}[]|<>=\\;\t');

/** Judges the odd words from `from` to `to`; what stands before them begins at `context`. */
function readLine(text: string, from: number, to: number, context: number, add: (span: Span) => void): void {
  for (let at = from; at < to; at++) {
    if (kinds[text.charCodeAt(at)] !== 3) continue;
    let start = at;
    while (start > context && at - start < wordCharsMax && isInWord(text, start - 1)) start--;
    while (at < to && isInWord(text, at)) at++;
    if (at - start > wordCharsMax || at - start < 4) continue;
    start += opening.exec(text.slice(start, at))?.[0].length ?? 0;
    // `admin/x`, `admin:x`: weak, as a path is. `fix/31-a-name` is a branch.
    const user = pair.exec(text.slice(start, at))?.[0].length ?? 0;
    start += user;
    const value = text.slice(start, at).replace(closing, '');
    const form = formOf(value);
    if (form === 'none' || (user > 0 && (form === 'number' || slug.test(value)))) continue;
    const end = start + value.length;
    const before = text.slice(Math.max(context, start - 2 * lookedBackChars), start);
    if (!isSaid(user > 0 ? 'weak' : form, before, text.slice(end, Math.min(to, end + lookedBackChars))))
      continue;
    const kind = form === 'generated' || form === 'hex' ? 'secret' : 'password';
    add({ start, end, kind, rank: ranks.hint });
  }
}
const pair = /^[a-z][\w.@+-]{1,40}[/:](?=[^/:]+$)/;
const slug = /^[a-z\d]+(?:-[a-z\d]+){2,}$/;
const wordCharsMax = 96;
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 32 && code < 127 && code !== 44 && code !== 59;
}

function isSaid(form: Form, before: string, after: string): boolean {
  // `ghp_ab...` is already cut, and `f(x)` is a call.
  if (/^(?:\.\.|…|\()/.test(after)) return false;
  const around = `${before} ${after}`.toLowerCase();
  if (form === 'made') return !isEntered.test(before) && (!isNamed.test(before) || isAccess.test(around));
  if ((form === 'weak' || form === 'number') && !handed.test(before.slice(-24).toLowerCase())) return false;
  // `client42 / x`
  if (form === 'weak') return !/^ \/ \S/.test(after) && isAccess.test(around);
  if (form === 'number') return !unit.test(after) && (/\bPIN\b/.test(before) || opensByNumber.test(around));
  const line = around.slice(before.lastIndexOf('\n') + 1);
  return !otherThings.test(around) && (form === 'generated' || namesKey.test(line));
}
const unit = /^[ -]?(?:m?s|sec\w*|min\w*|hours?|days?|%|[kmg]i?b|px|times|errors?|lines?|of|bytes?|m?v)\b/i;

/**
 * What a word looks like: made by a person as a password, generated, a sum or a key, digits, or words and digits that many things
 * are joined of.
 */
type Form = 'made' | 'generated' | 'hex' | 'number' | 'weak' | 'none';

function formOf(value: string): Form {
  const fits = ([form, pattern]: (typeof forms)[number]): boolean =>
    pattern.test(value) && (form !== 'generated' || (!isWordy(value) && looksRandom(value)));
  const form = forms.find(fits)?.[0] ?? 'none';
  if (form !== 'made' && form !== 'weak') return form;
  const isOther = technical.test(value) || isPlaceholder(value) || (form === 'weak' && measure.test(value));
  return isOther ? 'none' : form;
}

/** Short; without small letters or only plain ones; addresses, code, options, settings, members. */
const code =
  /^.{0,5}$|^[^a-z]+$|^[A-Za-z]?[a-z']+$|[()[\]{}<>|"'`\\/]|^@|\*\*|^[A-Z]+\d@\d|^[a-z][\w./-]*@[\w.-]+$|^[\w.+-]+@(?:v\d|\w+\.|[a-z])[\w.-]*$|^[-.~#$%&+=*:]|::|\w:\w|->|==|\.{3}|^[\w.-]+[=:]|\$v=|^\w+[#*]_?[a-z]\w*$|^[a-z]+#\d+$|^\w+[*$]\d$|\+\d+$|~\d|^[a-z]+[!?](?:[A-Z][a-z]+|\d)$|^(?:[Cc]trl|CTRL|[Cc]md|[Aa]lt|[Ss]hift)\+/;
/** `Map&lt`, `n%100`, `IP%scope`, `http2session.settings`, `vm.run*Context`, `Name~Test_of_it`. */
const members =
  /&(?:[lg]t|amp|quot|apos|nbsp|#\d+)\b|^[a-z]\w*%(?:\d{1,3}|\d0+)$|^[A-Za-z]+%[a-z]+$|^[a-z]\w*(?:\.[a-z][A-Za-z]*)+$|^\w+\.\w*\*\w*$|^[A-Za-z]+~[A-Z][A-Za-z_.]*$/;
/** Quantities, dates, versions, sums, names of hosts, files, models, tests and calls. */
const named =
  /^\d+[-.:x]\d|^v?\d+\.|\d\.\d|[-_]?v\d+(?:(?:alpha|beta|rc)\d*)?$|^\d+[a-z%]{1,4}$|^\d+\*|\d\+[A-Z]|^[\da-f]{7,}(?:$|-|[\^~]|\.\.)|25519|sha-?\d|md5|base64|utf\d|^port\d|^[\w-]+(?:\.[a-z]{2,8}){1,3}\d?$|^[A-Za-z]+[-_](?:20[0-3]\d|\d\d?)$|^[A-Z][A-Za-z]*-\d+$|[-_][A-Z]{1,3}\d+$|^(?:[A-Z][A-Za-z]*[-_.])+\d$|^\d+v\d|^(?:tool|msg|req|run|call|chat|resp|evt|ses)[a-z]*_|^[tT]est/;
/** A sign that joins no names: `Blue#Horse7`, `Blue+Horse8red`. */
const signed =
  /^(?=.*[a-z])(?=.*[A-Z\d]).*[A-Za-z\d](?:[#$%&*^~@][#$%&*^~@_+!?-]*[A-Za-z\d]|(?<=\d)[!?]+[A-Za-z]{1,2}$|[!?+]+(?:\d|[A-Za-z]+\S*[\d!#$%&*]))/;
/** `Blue-Horse77`, `Blue.horse_77`, `blueHorse1637`, `Horse_2291`, `BlueHorse_77`. */
const joined =
  /^(?=.*[A-Z])[A-Za-z][a-z]{2,}(?:[-_.][A-Za-z]+){0,3}[-_.][A-Za-z][a-z]{2,}(?:[-_.]?\d{2,4}|\d)$|^[a-z]{3,}[A-Z][a-z]{3,}\d{2,4}$|^[A-Z][a-z]{3,}_\d{3,4}$|^(?:[A-Z][a-z]{2,}){2}_\d{2,4}$/;
/** Two digits; three words; `h0rse-red`. */
const weak =
  /^(?=.*\d.*\d)(?=.*[a-z]{2})[\w.=+-]{8,40}$|^(?=.*\d)[A-Za-z]{2,}(?:-[A-Za-z\d]+){2,5}$|^[a-z]{3,12}(?:-[a-z]{2,12}){2,6}$|^[A-Z][a-z]{2,}(?:_[A-Z][a-z]{2,}){2,4}$|^(?:[A-Z][a-z]{2,}){4,6}$|^(?!k8s|[ai]\d\d|e2e|l10n|[a-z]+[24][a-z]+$)[a-z]+\d[a-z]{2}[a-z\d-]*$/;
/** By the classes of characters, and by how a person joins words. The first that fits. */
const forms: readonly (readonly [Form, RegExp])[] = [
  ['number', /^\d{4,8}[#*]?$|^\d{2,4}[A-F]\d{1,3}$|^\d\d(?:-\d\d){2}$/],
  ['made', /^(?=.*\d)(?=.*[A-Z])(?:[A-Z\d]{5}-){4}[A-Z\d]{5}$|^(?:\d{6}-){7}\d{6}$/],
  ['hex', /^(?:0x)?(?=.*\d)(?=.*[a-f])[\da-f]{32,128}$/],
  ['none', code],
  ['none', members],
  ['none', named],
  ['generated', /^(?=(?:.*\d){3})(?:(?!.*[a-z]{8})(?=.*[A-Z])[\w.-]{12,}|[a-z\d]{20,})$/],
  ['made', signed],
  ['made', joined],
  // `wh1teNoise`
  ['made', /^(?=.*[A-Z]).*[A-Za-z]\d{1,2}[a-z][\w.!-]*[A-Za-z][\w.!-]*$/],
  ['weak', weak],
];
