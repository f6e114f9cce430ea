import type { Denial } from './path-policy.ts';
import type { ScopeContext } from './place.ts';
import { Policies } from './policies.ts';
import { placesOf } from './real-path.ts';

/** What the rules say of one path, and why. */
export interface Explained {
  readonly path: string;
  readonly real: string;
  readonly isAllowed: boolean;
  /** What decided: `scope` is the scope file's own protection, `none` that no rule is against it. */
  readonly by: Denial['by'] | 'none';
  /** The glob that denies or allows it. */
  readonly rule: string | null;
}

/** For whoever asks about a path, told from `folder`. */
export function explain(path: string, folder: string, context: ScopeContext): Explained {
  const policies = new Policies(context);
  const denial = policies.touch(path, folder, 'write');
  if (denial !== null) return { path, real: denial.real, isAllowed: false, by: denial.by, rule: denial.rule };
  const [real = folder] = placesOf(path, folder, context.home).real;
  const rule = policies.allowing(real);
  return { path, real, isAllowed: true, by: rule === null ? 'none' : 'allow', rule };
}
