import { type SetName, sets } from './rule.ts';

/**
 * Ends of maximal runs of one set's characters in a text. Each run is measured once: the work of all who ask grows with
 * the text, however often keywords repeat inside a run.
 */
export class Runs {
  readonly #text: string;
  readonly #last = new Map<SetName, { from: number; end: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the run that holds `at` ends; `at` itself where the set does not hold its character. */
  end(set: SetName, at: number): number {
    const last = this.#last.get(set);
    if (last !== undefined && at >= last.from && at <= last.end) return last.end;
    const pattern = patternOf(set);
    pattern.lastIndex = at;
    pattern.test(this.#text);
    const run = { from: at, end: pattern.lastIndex };
    this.#last.set(set, run);
    return run.end;
  }
}

const patterns = new Map<SetName, RegExp>();

function patternOf(set: SetName): RegExp {
  const known = patterns.get(set);
  if (known !== undefined) return known;
  const pattern = new RegExp(`[${sets[set]}]*`, 'y');
  patterns.set(set, pattern);
  return pattern;
}
