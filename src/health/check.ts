import type { Workspace } from '../workspace/index.ts';

/** A note is worth knowing and nothing is wrong; the other two make `memd doctor` fail. */
export type Severity = 'error' | 'warning' | 'note';

/** What is examined. */
export interface Subject {
  readonly workspace: Workspace;
  /** Of this program. */
  readonly version: string;
  /** Told now and then what is being looked at, by a look that can take long. */
  readonly progress: (text: string) => void;
}

/** One thing that a look has found. */
export interface Found {
  /** Where, how much, of what kind: never a secret itself. Also what tells two findings of a check apart. */
  readonly detail: string;
  /** Where it differs from the check's own. */
  readonly severity?: Severity;
  readonly sentence?: string;
  readonly repair?: string;
  /** Whether `mend` can do something about it; true unless told. */
  readonly isMendable?: boolean;
}

/** One thing that can be wrong. */
export interface Check {
  /** Stable: scripts read it. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, when something is. */
  readonly sentence: string;
  /** What to do about it. */
  readonly repair: string;
  /** Changes nothing. Settles with nothing when all is well. */
  readonly look: (subject: Subject) => Promise<readonly Found[]>;
  /** What `--fix` does; null when only the user can. */
  readonly mend: Mend | null;
}

export interface Mend {
  /** Whether the daemon must be stopped, and kept from starting, meanwhile. */
  readonly needsStop: boolean;
  readonly run: (subject: Subject) => Promise<void>;
}

/** A finding as it is shown. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly sentence: string;
  readonly detail: string;
  readonly repair: string;
  readonly isMendable: boolean;
}
