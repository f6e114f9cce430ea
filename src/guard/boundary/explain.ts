import { Policies } from './policies.ts';
import { pathsOf } from './real-path.ts';
import type { ScopeContext } from './scope-context.ts';

export type Explained = ReturnType<typeof explain>;

/**
 * Explains the decision about a path, relative to `folder`. `by`: what decided; `scope` is the protection of the scope file, `none` means
 * that no rule matches.
 */
export function explain(path: string, folder: string, context: ScopeContext) {
  const policies = new Policies(context);
  const denial = policies.touch(path, folder, 'write');
  if (denial !== null) return { path, real: denial.real, isAllowed: false, by: denial.by, rule: denial.rule };
  const [real = folder] = pathsOf(path, folder, context.home).real;
  const rule = policies.allowing(real);
  return { path, real, isAllowed: true, by: rule === null ? 'none' : 'allow', rule } as const;
}
