import { redactHeaderCharsMax } from '../../core/limits.ts';
import type { Range } from './range.ts';

const redactListItemsMax = 64;
const redactDirectiveCharsMax = 80;

/** The quoted value that begins at `at`, also inside another string. */
export function quotedAt(text: string, at: number): Range | undefined {
  quote.lastIndex = at;
  const opening = quote.exec(text);
  if (opening === null) return undefined;
  const mark = opening[1] ?? '';
  const start = quote.lastIndex;
  if (mark.length === 1 && text.startsWith(mark + mark, start))
    return tripled(text, start + 2, mark.repeat(3));
  return quoted(text, start, mark);
}

function tripled(text: string, from: number, marks: string): Range {
  const close = text.indexOf(marks, from);
  const start = from + (/^\s{0,80}/.exec(text.slice(from, from + 80))?.[0].length ?? 0);
  return { start, end: Math.max(start, close === -1 ? text.length : close) };
}

const quote = /(?:[bBrRuUfF@]|\$|String::from\(|new String\()?(\\{0,7}["'`])/y;

function quoted(text: string, start: number, opening: string): Range | undefined {
  const end = closingQuote(text, start, opening, text.length);
  return end === undefined ? undefined : { start, end };
}

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
      if (character === mark && (depth === 0 ? slashes % 2 === 0 : slashes <= depth)) {
        return at - (depth === 0 ? 0 : slashes);
      }
      if (character === '\n' && mark !== '`') return undefined;
      slashes = 0;
    }
  }
  return to;
}

/** The quoted values of a list, or of an object around one value: `["a", "b"]`, `{"value": "a"}`. */
export function wrappedValues(text: string, at: number): Range[] {
  wrapper.lastIndex = at;
  const opening = wrapper.exec(text);
  if (opening === null) return [];
  const values: Range[] = [];
  let from = wrapper.lastIndex;
  while (values.length < redactListItemsMax) {
    const value = quotedAt(text, from);
    if (value === undefined) break;
    values.push(value);
    nextItem.lastIndex = value.end;
    if (opening[1] !== '[' || !nextItem.test(text)) break;
    from = nextItem.lastIndex;
  }
  return values;
}

const wrapper =
  /(?:(\[)|\{\s{0,40}\\{0,7}["']?(?:value|val|default|secret|plaintext|plain|raw|stringValue)\\{0,7}["']?\s{0,4}:)(?:\s|\\[nrt]){0,40}/y;
const nextItem = /\\{0,7}["'`]\s{0,40},(?:\s|\\[nrt]){0,40}/y;

/** The content of an element: `<name>x</name>`, also with attributes. */
export function elementAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  if (!/<(?!redacted:)(?:[\w-]{1,40}:)?$/.test(text.slice(Math.max(0, nameStart - 42), nameStart)))
    return undefined;
  attributes.lastIndex = nameEnd;
  if (!attributes.test(text)) return undefined;
  let start = attributes.lastIndex;
  const next = text.indexOf('<', start);
  // Never closed: the text was cut here.
  let end = next === -1 ? text.length : next;
  if (next !== -1 && text[next + 1] !== '/') return undefined;
  if (text.startsWith(']]>', end - 3)) end -= 3;
  start +=
    /^(?:\s|\\{1,8}[nrt])*/.exec(text.slice(start, Math.min(end, start + redactHeaderCharsMax)))?.[0]
      .length ?? 0;
  const last = Math.max(start, end - redactHeaderCharsMax);
  end = last + text.slice(last, end).replace(/(?:\s|(?<!\\)\\{1,8}[nrt])+$/, '').length;
  if (start === end) return undefined;
  const content = text.slice(start, Math.min(end, start + 256));
  return /\s/.test(content) && !/^[A-Za-z0-9+/=_-]{20,}\s/.test(content) ? undefined : { start, end };
}

const attributes = /(?:\s[^<>]{0,300})?>(?:\s{0,80}<!\[CDATA\[)?/y;

/**
 * The content after a name in an attribute or element: `<string name="password">x</string>`,
 * `<key>password</key><string>x`.
 */
export function attributedAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  if (
    !/<[^<>]{1,120}$/.test(text.slice(Math.max(0, nameStart - 124), nameStart)) &&
    !text.startsWith('<key>', Math.max(0, nameStart - 5))
  )
    return undefined;
  attributed.lastIndex = nameEnd;
  if (!attributed.test(text)) return undefined;
  const start = attributed.lastIndex;
  const end = text.indexOf('<', start);
  return end === -1 || !/\S/.test(text.slice(start, Math.min(end, start + 80))) ? undefined : { start, end };
}

const attributed =
  /(?:<\/key>\s{0,80}<(?:string|data)>\s{0,80}|\\?["'](?:\s[^<>]{0,200})?>\s{0,80}(?:<(?:value|string)>)?)\s{0,80}(?=[^\s<])/y;

/** A field of a multipart form: `name="password"`, an empty line, the value. */
export function formPartAt(text: string, nameStart: number, nameEnd: number): Range | undefined {
  if (!/name=\\?["']?$/.test(text.slice(Math.max(0, nameStart - 8), nameStart))) return undefined;
  formPart.lastIndex = nameEnd;
  const match = formPart.exec(text);
  const value = match?.[1];
  return value === undefined
    ? undefined
    : { start: formPart.lastIndex - value.length, end: formPart.lastIndex };
}

const formPart =
  /\\?["'](?:\r?\n|\\r\\n|\\n)(?:[\w-]{1,40}: [^\r\n\\]{1,100}(?:\r?\n|\\r\\n|\\n)){0,2}(?:\r?\n|\\r\\n|\\n)([^\s\\"]{1,1024})/y;

/** Whether a command before the name sets it: `ENV NAME x`, `set -x NAME x`. */
export function isSetBy(text: string, nameStart: number): boolean {
  return directive.test(text.slice(Math.max(0, nameStart - redactDirectiveCharsMax), nameStart));
}

const directive =
  /(?:^|[\s;&|("'`>+→:-]|\\n|\[[0-9;]{0,16}m)(?:ENV|ARG|setx|setenv|set(?:[ \t]+-[a-zA-Z]{1,4}|[ \t]+--\w{1,12}){1,3}|env set|(?:config|configure|secrets?|variable|vars?) (?:set|put|add))[ \t]+(?:[/\w.:-]*[/:])?$/;
