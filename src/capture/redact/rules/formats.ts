import { fill, isSetName, type Rule, type SetName, sets } from '../rule.ts';
import { formatTable } from './format-table.ts';

interface Run {
  readonly set: SetName;
  readonly min: number;
  /** A longer run does not match. Undefined: no limit. */
  readonly max: number | undefined;
}

/** A row of the table. Compiled on first use, as most are never used. */
class Format implements Rule {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly at: 'word' | 'anywhere';
  readonly before = 0;
  readonly entropyMin = 1.8;
  readonly #prefixes: readonly string[];
  readonly #body: string;
  #compiled: Pick<Rule, 'pattern' | 'tail'> | undefined;

  constructor(name: string, prefixes: readonly string[], body: string, at: 'word' | 'anywhere') {
    this.name = name;
    this.keywords = prefixes.map((prefix) => prefix.toLowerCase());
    this.at = at;
    this.#prefixes = prefixes;
    this.#body = body;
  }

  get pattern(): RegExp {
    return this.#patterns().pattern;
  }

  get tail(): Rule['tail'] {
    return this.#patterns().tail;
  }

  readonly samples = (): readonly string[] =>
    this.#prefixes.map((prefix) => prefix + partsOf(this.#body).map(sampleOf).join(''));

  #patterns(): Pick<Rule, 'pattern' | 'tail'> {
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  #compile(): Pick<Rule, 'pattern' | 'tail'> {
    const prefixes = `(?:${this.#prefixes.map(escaped).join('|')})`;
    const [pattern, ...tail] = segments(prefixes, partsOf(this.#body), this.at === 'word' ? '_' : '');
    if (!(pattern instanceof RegExp)) throw new Error(`The format ${this.name} has no body`);
    return { pattern, tail };
  }
}

export const formatRules: readonly Rule[] = formatTable
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', prefixes = '', body = '', place] = line.split(/ {2,}/);
    return new Format(name, prefixes.split('|'), body, place === 'word' ? 'word' : 'anywhere');
  });
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

function sampleOf(part: Run | string, index: number): string {
  return typeof part === 'string' ? part : fill(part.set, part.min, index + 3);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
