import type { Denial } from './path-policy.ts';
import { Policies } from './policies.ts';
import { pathsOf } from './real-path.ts';
import type { ScopeContext } from './scope-context.ts';

export interface Explained {
  readonly path: string;
  readonly real: string;
  readonly isAllowed: boolean;
  /** What decided: `scope` is the protection of the scope file, `none` means that no rule matches. */
  readonly by: Denial['by'] | 'none';
  readonly rule: string | null;
}

/** Explains the decision about a path, relative to `folder`. */
export function explain(path: string, folder: string, context: ScopeContext): Explained {
  const policies = new Policies(context);
  const denial = policies.touch(path, folder, 'write');
  if (denial !== null) return { path, real: denial.real, isAllowed: false, by: denial.by, rule: denial.rule };
  const [real = folder] = pathsOf(path, folder, context.home).real;
  const rule = policies.allowing(real);
  return { path, real, isAllowed: true, by: rule === null ? 'none' : 'allow', rule };
}
