/** A note is worth knowing and nothing is wrong; the other two make `memd doctor` fail. */
export type Severity = 'error' | 'warning' | 'note';

/** Something that can be amiss, declared once for all who tell of it. */
export interface Condition {
  /** Stable: scripts read it. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, when something is. */
  readonly sentence: string;
  /** What to do about it. */
  readonly repair: string;
}

/** It is so: where, how much, of what kind. Never a secret itself. */
export interface Told extends Condition {
  readonly detail: string;
}
