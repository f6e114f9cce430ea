import { isSetName, type Rule, rowsOf, ruleOf, type SetName, sets } from '../rule.ts';
import { formatTable } from './format-table.ts';

interface Run {
  readonly set: SetName;
  readonly min: number;
  /** A longer run does not match. Undefined: no limit. */
  readonly max: number | undefined;
}

export const formatRules: readonly Rule[] = rowsOf(formatTable).map(
  ([name = '', prefixes = '', body = '', place = 'anywhere']) => {
    const keywords = prefixes.toLowerCase().split('|');
    const at = place === 'word' ? place : 'anywhere';
    return ruleOf({ name, keywords, at, before: 0, entropyMin: 1.8 }, () => {
      const start = `(?:${prefixes.split('|').map(escaped).join('|')})`;
      const [pattern, ...tail] = segments(start, partsOf(body), at === 'word' ? '_' : '');
      if (!(pattern instanceof RegExp)) throw new Error(`The format ${name} has no body`);
      return { pattern, tail };
    });
  },
);

function partsOf(body: string): (Run | string)[] {
  const parts: (Run | string)[] = [];
  let from = 0;
  for (const match of body.matchAll(/([a-z]\w+)\{(\d+)(,?)(\d*)\}/gi)) {
    const [run, set = '', min, comma, max] = match;
    if (!isSetName(set)) throw new Error(`Unknown set in a format: ${set}`);
    if (match.index > from) parts.push(body.slice(from, match.index));
    const most = comma === '' ? min : max;
    parts.push({ set, min: Number(min), max: most === '' ? undefined : Number(most) });
    from = match.index + run.length;
  }
  return parts;
}

/** The pattern up to the least length of the first unlimited run, that run, and so on. */
function segments(start: string, parts: readonly (Run | string)[], joiner: '_' | ''): (SetName | RegExp)[] {
  const done: (SetName | RegExp)[] = [];
  let source = start;
  for (const part of parts) {
    if (typeof part === 'string') source += escaped(part);
    else {
      source += `[${sets[part.set]}]{${part.min},${part.max ?? part.min}}`;
      if (part.max === undefined) {
        done.push(new RegExp(source, 'y'), part.set);
        source = '';
      }
    }
  }
  const last = parts.at(-1);
  if (typeof last === 'object' && last.max !== undefined)
    source += `(?![${joiner === '' ? withoutJoiners(last.set) : sets[last.set] + joiner}])`;
  return source === '' ? done : [...done, new RegExp(source, 'y')];
}

/** A `_` or `-` after a whole token belongs to the text around it: `_TOKEN_`, `TOKEN-old.txt`. */
function withoutJoiners(set: SetName): string {
  return sets[set].replace('_', '').replace('\\-', '');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
