import { endAt, matchAt, outerBracket, type Range } from '#redact/form';
import { type GroupNoun, isDull } from '#redact/names';
import { fingerprint, judgeSaid } from './prose-value.ts';

const regionCharsMax = 4_096;

/**
 * The secrets in what a name in the plural holds: `apiKeys: ["x"]`, `tokens = {prod: "x"}`, `API_KEYS=x,y`, the lines of YAML below
 * `passwords:`, a section `[secrets]`.
 */
export function membersAfter(text: string, nameStart: number, nameEnd: number, noun: GroupNoun): Range[] {
  const region = regionAfter(text, nameStart, nameEnd);
  if (region === undefined) return [];
  return [...text.slice(region.start, region.end).matchAll(member)].flatMap((found) => {
    const [whole, key = '', value = ''] = found;
    const end = region.start + found.index + whole.length;
    return isMember(key, value, noun) ? [{ start: end - value.length, end }] : [];
  });
}

/** Whether a value is a secret in a group of them: unlike an id or an address it has no name that says something else. */
export function isMember(key: string, value: string, noun: GroupNoun): boolean {
  if (isDull(key) || fingerprint.test(value) || /^AAAA[A-E]|^[\da-f]{40}$/.test(value)) return false;
  return judgeSaid(value, noun, 'loose', false);
}

const member =
  /(?<![^\s"'`,:=[({>-])(?:([A-Za-z][\w.-]{0,63})\\{0,7}["'`]?[ \t]{0,8}(?::|=>?)[ \t]{0,8}\\{0,7}["'`]?)?([^\s"'`,;{}()[\]<>\\]{6,512})(?<![.:!?])/g;
const opens =
  /\\{0,7}["'`]?\]?(?:[ \t]{0,4}:[ \t]{0,4}[\w<>[\], |]{1,60}(?==))?[ \t]{0,8}(?::|=>?|:=)[ \t]{0,8}(?:new (?:Set|Map)\(|\()?(?:([{[])|\r?(\n)|(?=["'`]?[^\s,]{10,512},))/y;

const list =
  /["'`]?[^\s"'`,;{}()[\]<>\\]{10,512}(?:,[ \t]?[^\s"'`,;{}()[\]<>\\]{10,512}){1,15}(?![^\s"'`;])/y;

function regionAfter(text: string, nameStart: number, nameEnd: number): Range | undefined {
  const limit = Math.min(text.length, nameEnd + regionCharsMax);
  if (text[nameStart - 1] === '[' && text[nameEnd] === ']') {
    const next = text.slice(nameEnd, limit).search(/\n\s*\[/);
    return { start: nameEnd + 1, end: next < 0 ? limit : nameEnd + next };
  }
  const found = matchAt(opens, text, nameEnd);
  if (found === null) return undefined;
  const start = nameEnd + found[0].length;
  const [, bracket, newline] = found;
  // A list of values and nothing else: `API_KEYS=x,y`.
  const end =
    bracket !== undefined
      ? outerBracket(text, start, limit, { opening: '{[', closing: '}]' })
      : endAt(newline === undefined ? list : linesBelow(text, nameStart), text, start);
  return end === undefined ? undefined : { start, end: Math.min(limit, end) };
}

/** Lines that YAML counts to the name in the line of `at`: deeper, or items of a list. */
function linesBelow(text: string, at: number): RegExp {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  const indent = /^[ \t]*(?:- )?/.exec(line)?.[0].length ?? 0;
  return new RegExp(`(?:(?:[ \\t]{${indent + 1},}|[ \\t]{${indent}}- )[^\\n]*(?:\\n|$)|[ \\t]*\\n)*`, 'y');
}
