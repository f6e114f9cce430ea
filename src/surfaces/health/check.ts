import type { JsonObject } from '../../core/event/index.ts';
import type { Environment, Workspace } from '../../core/workspace/index.ts';
import type { Condition, Severity, Finding as Told } from '../../service/info/index.ts';

/** What is examined. */
export interface Subject {
  readonly workspace: Workspace;
  /** Of this program. */
  readonly version: string;
  /** In which the user calls this program: what is set there holds for it, and for the daemon that it starts. */
  readonly env: Environment;
  /** Told now and then what is being looked at, by a look that can take long. */
  readonly progress: (text: string) => void;
}

/** A subject while it is looked at, once. */
export interface Looked extends Subject {
  /** What the daemon tells of itself (`info`), asked for once; null where none answers. Never rejects. */
  readonly running: () => Promise<JsonObject | null>;
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
  readonly isFixable?: boolean;
}

/** One thing that can be wrong. */
export interface Check extends Condition {
  /** Changes nothing. Settles with nothing when all is well. */
  readonly look: (subject: Looked) => Promise<readonly Found[]>;
  /** What `--fix` does; null when only the user can. */
  readonly fix: Fix | null;
  /** Whether an error of this keeps a daemon from starting: one that runs is not stopped before that is put right. */
  readonly keepsStart?: boolean;
}

export interface Fix {
  /** Whether the daemon must be stopped, and kept from starting, meanwhile. */
  readonly needsStop: boolean;
  /** What it does, as it is told afterwards. */
  readonly does: string;
  readonly run: (subject: Subject) => Promise<void>;
}

/** A finding as it is shown. */
export interface Finding extends Told {
  readonly isFixable: boolean;
}

/** What was wrong, and what was done about it. */
export interface Fixed extends Finding {
  readonly did: string;
}
