import type { Denial } from './court.ts';
import type { Ground } from './place.ts';
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
export function explain(path: string, folder: string, ground: Ground): Explained {
  const policies = new Policies(ground);
  const denial = policies.touch(path, folder, 'write');
  if (denial !== null) return { path, real: denial.real, isAllowed: false, by: denial.by, rule: denial.rule };
  const [real = folder] = placesOf(path, folder, ground.home).real;
  const rule = policies.allowing(real);
  return { path, real, isAllowed: true, by: rule === null ? 'none' : 'allow', rule };
}
