import picomatch from 'picomatch';
import { pathCharsMax } from '#core/limits';
import { inTime } from '#core/platform';

// On the longest path three wildcards take some milliseconds, four can take minutes.
const globPartsPlainMax = 3;
const globWorkMs = 400;

/** Whether matching may take unbounded time on some names: rules may come with a repository, and must not block a hook. */
export function isCostly(glob: string): boolean {
  const parts = glob.match(/\*+|[{(]/g)?.length ?? 0;
  return parts > globPartsPlainMax || /[+*]\(/.test(glob);
}

/** picomatch, with dotfiles. */
export function compileGlob(
  glob: string,
  options: { readonly nocase?: boolean } = {},
): (text: string) => boolean {
  // Without `s`, a line end in a name would stop `**`.
  const matches = picomatch(glob, { dot: true, ...options, flags: options.nocase === true ? 'is' : 's' });
  return (text) => matches(text);
}

interface PatternOptions {
  readonly dot: boolean;
  readonly nocase?: boolean;
}

interface Found<Rule, Place> {
  /** The first rule that matches, or the one at which the time was up; null when none matches. */
  readonly rule: Rule | null;
  /** The path that it matches. */
  readonly location: Place | null;
  readonly isDecided: boolean;
}

/** Matches globs. Costly ones come last and share `globWorkMs`. */
export class GlobMatcher {
  #leftMs = globWorkMs;

  /** Asks about many paths in one step: setting the timer takes longer than most answers. */
  first<Rule extends { readonly isCostly: boolean }, Place>(
    rules: readonly Rule[],
    locations: readonly Place[],
    holds: (rule: Rule, location: Place) => boolean,
  ): Found<Rule, Place> {
    const costly = rules.filter((rule) => rule.isCostly);
    const plain = rules.filter((rule) => !rule.isCostly);
    let [location = null] = locations;
    let rule: Rule | null = null;
    const isAny = (asked: readonly Rule[]): boolean =>
      locations.some((each) => {
        location = each;
        rule =
          asked.find((one) => {
            rule = one;
            return holds(one, each);
          }) ?? null;
        return rule !== null;
      });
    if (isAny(plain)) return { rule, location, isDecided: true };
    if (costly.length === 0) return { rule: null, location: null, isDecided: true };
    [rule = null] = costly;
    const answer = this.#inTime(() => isAny(costly));
    if (answer === false) return { rule: null, location: null, isDecided: true };
    return { rule, location, isDecided: answer !== null };
  }

  /** The `names` that match a pattern; all of them when that is not decided in time. */
  fitting(glob: string, names: readonly string[], options: PatternOptions): readonly string[] {
    // picomatch refuses longer ones.
    if (glob.length > pathCharsMax) return names;
    const flags = options.nocase === true ? 'is' : 's';
    const matches = picomatch(asPicomatch(glob), { ...options, nonegate: true, flags });
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

/** picomatch writes `[!a]` as `[^a]`. */
function asPicomatch(pattern: string): string {
  return pattern.replace(/\\.|\[!/gs, (part) => (part === '[!' ? '[^' : part));
}
