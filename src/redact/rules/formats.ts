import { isSetName, type Rule, rowsOf, ruleOf, sets } from '#redact/form';
import { formatTable } from './format-table.ts';

export const formatRules: readonly Rule[] = rowsOf(formatTable).map(
  ([name = '', prefixes = '', body = '', place = 'anywhere']) => {
    const at = place === 'word' || place === 'part' ? place : 'anywhere';
    const begins = prefixes.split('|').map((prefix) => prefix.replace(/\W/g, '\\$&'));
    const source = `(?:${begins.join('|')})${sourceOf(body)}${endOf(body, at)}`;
    return ruleOf(name, prefixes.toLowerCase().split('|'), { source, flags: '' }, { at, entropyMin: 1.8 });
  },
);

/** `url{8,}.hex{8}` as a pattern: the least length of an unlimited run, and the run. */
function sourceOf(body: string): string {
  return body.replace(/([a-z]\w+)\{(\d+)(,?)(\d*)\}|\W/gi, (part, set, min, comma, max) => {
    if (set === undefined) return `\\${part}`;
    return `[${alphabet(set)}]{${min}${max === '' ? '' : `,${max}`}}${comma !== '' && max === '' ? `<<${set}>>` : ''}`;
  });
}

/**
 * After a limited run nothing of its set may follow. A `_` or `-` after a whole token belongs to the text around it: `_TOKEN_`,
 * `TOKEN-old.txt`.
 */
function endOf(body: string, at: Rule['at']): string {
  const last = /([a-z][a-z\d]+)\{\d+(?:,\d+)?\}$/i.exec(body)?.[1];
  if (last === undefined) return '';
  const all = alphabet(last);
  return `(?![${at === 'word' ? `${all}_` : all.replace('_', '').replace('\\-', '')}])`;
}

function alphabet(set: string): string {
  if (!isSetName(set)) throw new Error(`Unknown set in a format: ${set}`);
  return sets[set];
}
