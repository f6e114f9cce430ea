import vm from 'node:vm';
import picomatch from 'picomatch';
import { globPartsPlainMax, globWorkMs } from '../limits.ts';
import { errorCode } from '../platform/index.ts';

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

interface Found<T> {
  /** The first rule that holds, or the one at which time was up. */
  readonly rule: T | null;
  readonly isDecided: boolean;
}

/** Asks rules; those that are costly come last, under a clock, and have `globWorkMs` in all. */
export class Asking {
  #leftMs = globWorkMs;

  first<T extends { readonly isCostly: boolean }>(
    rules: readonly T[],
    holds: (rule: T) => boolean,
  ): Found<T> {
    const plain = rules.find((rule) => !rule.isCostly && holds(rule));
    const costly = rules.filter((rule) => rule.isCostly);
    if (plain !== undefined || costly.length === 0) return { rule: plain ?? null, isDecided: true };
    let asked: T | null = costly[0] ?? null;
    if (this.#leftMs < 1) return { rule: asked, isDecided: false };
    const startedAt = performance.now();
    const answer = inTime(
      () =>
        costly.some((rule) => {
          asked = rule;
          return holds(rule);
        }),
      Math.ceil(this.#leftMs),
    );
    this.#leftMs -= performance.now() - startedAt;
    return { rule: answer === false ? null : asked, isDecided: answer !== null };
  }
}

/** What `ask` answers; null when it has not within `timeoutMs`. The clock of `vm` stops a regular expression too. */
function inTime(ask: () => boolean, timeoutMs: number): boolean | null {
  try {
    return new vm.Script('ask()').runInContext(vm.createContext({ ask }), { timeout: timeoutMs }) === true;
  } catch (error) {
    if (errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  }
}
