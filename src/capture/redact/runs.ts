import { type SetName, sets } from './rule.ts';

/**
 * Ends of runs of characters of one set. Each run is measured once per text, so that repeated keywords inside a
 * run stay linear.
 */
export class Runs {
  readonly #text: string;
  readonly #last = new Map<SetName, { from: number; end: number }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The end of the run at `at`, or `at` itself if its character is not in the set. */
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
