import picomatch from 'picomatch';
import { pathCharsMax } from '../../core/limits.ts';
import { inTime } from '../../core/platform/index.ts';

// Three wildcards on the longest path take some milliseconds, four can take minutes.
const globPartsPlainMax = 3;
const globWorkMs = 400;

/**
 * Whether a glob's regular expression may take time without bound on some names: rules may come with a repository, and a hook
 * would hang in it.
 */
export function isCostly(glob: string): boolean {
  const parts = glob.match(/\*+|[{(]/g)?.length ?? 0;
  return parts > globPartsPlainMax || /[+*]\(/.test(glob);
}

/** picomatch's, dotfiles included. */
export function compileGlob(
  glob: string,
  options: { readonly nocase?: boolean } = {},
): (text: string) => boolean {
  const matches = picomatch(glob, { dot: true, ...options });
  return (text) => matches(text);
}

interface PatternOptions {
  readonly dot: boolean;
  readonly nocase?: boolean;
}

interface Found<Rule, Place> {
  /** The first rule that holds, or the one at which time was up; null when none does. */
  readonly rule: Rule | null;
  /** Of which place. */
  readonly place: Place | null;
  readonly isDecided: boolean;
}

/** Asks rules and patterns; those that are costly come last, under a clock, and have `globWorkMs` in all. */
export class Asking {
  #leftMs = globWorkMs;

  /** Of many places they are asked at once: to set the clock takes longer than most answers. */
  first<Rule extends { readonly isCostly: boolean }, Place>(
    rules: readonly Rule[],
    places: readonly Place[],
    holds: (rule: Rule, place: Place) => boolean,
  ): Found<Rule, Place> {
    const costly = rules.filter((rule) => rule.isCostly);
    const plain = rules.filter((rule) => !rule.isCostly);
    let [place = null] = places;
    let rule: Rule | null = null;
    const isAny = (asked: readonly Rule[]): boolean =>
      places.some((each) => {
        place = each;
        rule =
          asked.find((one) => {
            rule = one;
            return holds(one, each);
          }) ?? null;
        return rule !== null;
      });
    if (isAny(plain)) return { rule, place, isDecided: true };
    if (costly.length === 0) return { rule: null, place: null, isDecided: true };
    [rule = null] = costly;
    const answer = this.#inTime(() => isAny(costly));
    if (answer === false) return { rule: null, place: null, isDecided: true };
    return { rule, place, isDecided: answer !== null };
  }

  /** Those of `names` that fit a shell's or a search's pattern; all of them where that cannot be told, or not in time. */
  fitting(glob: string, names: readonly string[], options: PatternOptions): readonly string[] {
    // picomatch refuses what is past all measure.
    if (glob.length > pathCharsMax) return names;
    const matches = picomatch(asPicomatch(glob), { ...options, nonegate: true });
    const those = (): readonly string[] => names.filter((name) => matches(name));
    return isCostly(glob) ? (this.#inTime(those) ?? names) : those();
  }

  #inTime<Answer>(ask: () => Answer): Answer | null {
    const startedAt = performance.now();
    const answer = inTime(ask, this.#leftMs);
    this.#leftMs -= performance.now() - startedAt;
    return answer;
  }
}

/** A shell's `[!a]` is picomatch's `[^a]`. */
function asPicomatch(pattern: string): string {
  return pattern.replace(/\\.|\[!/gs, (part) => (part === '[!' ? '[^' : part));
}
