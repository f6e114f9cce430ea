import path from 'node:path';
import { boundaryLookMs } from '#core/limits';
import { type Denial, PathPolicy } from './path-policy.ts';
import { realPathOrSame } from './real-path.ts';
import { type EnforcedScope, isEnforced, type ScopeContext, scopesAbove } from './scope-context.ts';
import type { Effect } from './target.ts';
import { LookupBudget } from './trees.ts';
import { hasUnread } from './unread.ts';

/** All rules for one tool call: those of its working directory, and for each path those of the folders above it. */
export class Policies {
  readonly budget = new LookupBudget(boundaryLookMs);
  readonly #home: string;
  readonly #policies = new Map<string, PathPolicy>();
  readonly #inForce: readonly PathPolicy[];
  /** The policies for a folder's contents, by folder. */
  readonly #above = new Map<string, readonly PathPolicy[]>();

  constructor(context: ScopeContext) {
    this.#home = context.home;
    this.#inForce = this.#policiesOf([context, ...context.around]);
  }

  /** The folders that globs are relative to. */
  get roots(): readonly string[] {
    return [...new Set(this.#inForce.flatMap(({ roots }) => roots))];
  }

  /** Why `effect` at `text`, relative to `folder`, is denied; null when it is allowed. */
  touch(text: string, folder: string, effect: Effect): Denial | null {
    for (const policy of new Set([...this.#inForce, ...this.#policiesAbove(text, folder)])) {
      const denial = policy.touch(text, folder, effect);
      if (denial !== null) return denial;
    }
    return null;
  }

  /** The glob that allows a path in the working directory, or null. */
  allowing(location: string): string | null {
    return this.#inForce.map((policy) => policy.allowing(location)).find((rule) => rule !== null) ?? null;
  }

  #policiesAbove(text: string, folder: string): readonly PathPolicy[] {
    if (hasUnread(text) || hasUnread(folder)) return [];
    const at = path.dirname(realPathOrSame(path.resolve(folder, text)));
    const known = this.#above.get(at);
    if (known !== undefined) return known;
    const policies = this.#policiesOf(scopesAbove(at, this.#home));
    this.#above.set(at, policies);
    return policies;
  }

  #policiesOf(grounds: readonly ScopeContext[]): readonly PathPolicy[] {
    return grounds.filter(isEnforced).map((context) => this.#policyOf(context));
  }

  /** One policy for each scope file. */
  #policyOf(context: EnforcedScope): PathPolicy {
    const policy = this.#policies.get(context.file) ?? new PathPolicy(context, this.budget);
    this.#policies.set(context.file, policy);
    return policy;
  }
}
