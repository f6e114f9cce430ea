import { type GroupNoun, isDull } from './name.ts';
import { fingerprint, judgeSaid } from './prose-value.ts';
import type { Range } from './range.ts';

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
  opens.lastIndex = nameEnd;
  const found = opens.exec(text);
  if (found === null) return undefined;
  const start = opens.lastIndex;
  if (found[1] !== undefined) {
    const end = endOfBrackets(text, start, limit);
    return end === undefined ? undefined : { start, end };
  }
  if (found[2] === undefined) {
    // A list of values and nothing else: `API_KEYS=x,y`.
    list.lastIndex = start;
    return list.test(text) ? { start, end: list.lastIndex } : undefined;
  }
  const line = text.slice(text.lastIndexOf('\n', nameStart) + 1, nameStart);
  const indent = /^[ \t]*(?:- )?/.exec(line)?.[0].length ?? 0;
  const below = new RegExp(
    `(?:[ \\t]{${indent + 1},}[^\\n]*(?:\\n|$)|[ \\t]{${indent}}- [^\\n]*(?:\\n|$)|[ \\t]*\\n)*`,
    'y',
  );
  below.lastIndex = start;
  return { start, end: below.test(text) ? Math.min(limit, below.lastIndex) : start };
}

function endOfBrackets(text: string, start: number, limit: number): number | undefined {
  let depth = 1;
  for (let at = start; at < limit; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return at;
  }
  return undefined;
}
