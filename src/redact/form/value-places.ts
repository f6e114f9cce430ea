import { redactHeaderCharsMax } from '#core/limits';
import { endAt, matchAt, type Range } from './range.ts';

const redactListItemsMax = 64;
const redactDirectiveCharsMax = 80;

/** The quoted value that begins at `at`, also inside another string. */
export function quotedAt(text: string, at: number): Range | undefined {
  const [whole = '', mark = ''] = matchAt(quote, text, at) ?? [];
  if (mark === '') return undefined;
  const start = at + whole.length;
  const isTripled = mark.length === 1 && text.startsWith(mark + mark, start);
  const end = isTripled
    ? text.indexOf(mark.repeat(3), start + 2)
    : closingQuote(text, start, mark, text.length);
  if (!isTripled) return end === undefined ? undefined : { start, end };
  const first = start + 2 + text.slice(start + 2, start + 82).search(/\S|$/);
  return { start: first, end: end === undefined || end === -1 ? text.length : Math.max(first, end) };
}

const quote = /(?:[bBrRuUfF@]|\$|String::from\(|new String\()?(\\{0,7}["'`])/y;

/**
 * The offset of the quote that closes a string before `to`, with its backslashes; `to` if the text was cut before it; undefined if a line ends
 * first, unless the quote is a backtick. A quote that is escaped as deeply as the opening one closes; a deeper one belongs to the value. So
 * strings of one depth do not overlap, and the whole reading stays linear.
 */
export function closingQuote(text: string, start: number, opening: string, to: number): number | undefined {
  const mark = opening.at(-1) ?? '"';
  const depth = opening.length - 1;
  let slashes = 0;
  for (let at = start; at < to; at++) {
    const character = text[at];
    if (character === '\\') slashes++;
    else {
      if (character === mark && (depth === 0 ? slashes % 2 === 0 : slashes <= depth))
        return at - (depth === 0 ? 0 : slashes);
      if (character === '\n' && mark !== '`') return undefined;
      slashes = 0;
    }
  }
  return to;
}

/** The quoted values of a list, or of an object around one value: `["a", "b"]`, `{"value": "a"}`. */
export function wrappedValues(text: string, at: number): Range[] {
  const opening = matchAt(wrapper, text, at);
  const values: Range[] = [];
  let from = opening === null ? undefined : at + opening[0].length;
  while (from !== undefined && values.length < redactListItemsMax) {
    const value = quotedAt(text, from);
    if (value !== undefined) values.push(value);
    from = value !== undefined && opening?.[1] === '[' ? endAt(nextItem, text, value.end) : undefined;
  }
  return values;
}

const wrapper =
  /(?:(\[)|\{(?:\s{0,40}\\{0,7}["']?\w{1,20}\\{0,7}["']?\s{0,4}:\s{0,4}\\{0,7}["']?\w{1,20}\\{0,7}["']?,){0,3}\s{0,40}\\{0,7}["']?(?:value|val|default|secret|plaintext|plain|raw|stringValue)\\{0,7}["']?\s{0,4}:)(?:\s|\\[nrt]){0,40}/y;
const nextItem = /\\{0,7}["'`]\s{0,40},(?:\s|\\[nrt]){0,40}/y;

/** The content of an element: `<name>x</name>`, also with attributes. */
export function elementAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  const isTag = /<(?!redacted:)(?:[\w-]{1,40}:)?$/.test(text.slice(Math.max(0, nameStart - 42), nameStart));
  const from = isTag ? endAt(attributes, text, nameEnd) : undefined;
  if (from === undefined) return undefined;
  const next = text.indexOf('<', from);
  if (next !== -1 && text[next + 1] !== '/') return undefined;
  // Never closed: the text was cut here.
  let end = next === -1 ? text.length : next;
  if (text.startsWith(']]>', end - 3)) end -= 3;
  const ahead = text.slice(from, Math.min(end, from + redactHeaderCharsMax));
  const start = from + (/^(?:\s|\\{1,8}[nrt])*/.exec(ahead)?.[0].length ?? 0);
  const last = Math.max(start, end - redactHeaderCharsMax);
  end = last + text.slice(last, end).replace(/(?:\s|(?<!\\)\\{1,8}[nrt])+$/, '').length;
  const content = text.slice(start, Math.min(end, start + 256));
  return /^$|\s/.test(content) && !/^[A-Za-z0-9+/=_-]{20,}\s/.test(content) ? undefined : { start, end };
}

const attributes = /(?:\s[^<>]{0,300})?>(?:\s{0,80}<!\[CDATA\[)?/y;

/**
 * The content after a name in an attribute or element: `<string name="password">x</string>`,
 * `<key>password</key><string>x`.
 */
export function attributedAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  const isInTag = /<[^<>]{1,120}$/.test(text.slice(Math.max(0, nameStart - 124), nameStart));
  const isKey = text.startsWith('<key>', Math.max(0, nameStart - 5));
  const start = isInTag || isKey ? endAt(attributed, text, nameEnd) : undefined;
  const end = start === undefined ? -1 : text.indexOf('<', start);
  return start === undefined || end === -1 || text.slice(start, Math.min(end, start + 80)).trim() === ''
    ? undefined
    : { start, end };
}

const attributed =
  /(?:<\/key>\s{0,80}<(?:string|data)>\s{0,80}|\\?["'](?:\s[^<>]{0,200})?>\s{0,80}(?:<(?:value|string)>)?)\s{0,80}(?=[^\s<])/y;

/** A field of a multipart form: `name="password"`, an empty line, the value. */
export function formPartAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  if (!/name=\\?["']?$/.test(text.slice(Math.max(0, nameStart - 8), nameStart))) return undefined;
  const [whole = '', value] = matchAt(formPart, text, nameEnd) ?? [];
  const end = nameEnd + whole.length;
  return value === undefined ? undefined : { start: end - value.length, end };
}

const formPart =
  /\\?["'](?:\r?\n|\\r\\n|\\n)(?:[\w-]{1,40}: [^\r\n\\]{1,100}(?:\r?\n|\\r\\n|\\n)){0,2}(?:\r?\n|\\r\\n|\\n)([^\s\\"]{1,1024})/y;

/** Whether a command before the name sets it: `ENV NAME x`, `set -x NAME x`. */
export function isSetBy(text: string, nameStart: number): boolean {
  return directive.test(text.slice(Math.max(0, nameStart - redactDirectiveCharsMax), nameStart));
}

const directive =
  /(?:^|[\s;&|("'`>+→:-]|\\n|\[[0-9;]{0,16}m)(?:ENV|ARG|setx|setenv|set(?:[ \t]+-[a-zA-Z]{1,4}|[ \t]+--\w{1,12}){1,3}|env set|(?:config|configure|secrets?|variable|vars?) (?:set|put|add))[ \t]+(?:[/\w.:-]*[/:])?$/;
