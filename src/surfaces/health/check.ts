import type { JsonObject } from '#core/event';
import { errorCode, Failure, messageOf } from '#core/platform';
import type { Environment, Workspace } from '#core/workspace';
import type { Condition, MetCondition } from '#service/info';

/** What `memd doctor` examines. */
export interface Subject {
  readonly workspace: Workspace;
  /** Of this program. */
  readonly version: string;
  /** The environment of the command, and of a daemon that it starts. */
  readonly env: Environment;
  /** Shows on a terminal what a slow check is doing; an empty text removes it. */
  readonly progress: (text: string) => void;
}

/** The subject during one run of all checks. */
export interface Context extends Subject {
  /** The daemon's reply to `info`, requested once; null if it does not answer. Never rejects. */
  readonly info: () => Promise<JsonObject | null>;
}

/** Two findings of one check differ in their detail. */
export interface Finding extends MetCondition {
  readonly isFixable: boolean;
}

/** A finding of a check; what it leaves out is the check's own. */
export type Problem = Pick<Finding, 'detail'> & Partial<Omit<Finding, 'code'>>;

export interface Check extends Condition {
  /** Changes nothing. Settles with an empty list if all is well. */
  readonly run: (context: Context) => Promise<readonly Problem[]>;
  /** What `--fix` does; missing if only the user can repair it. */
  readonly fix?: Fix;
  /** Whether an error of this check keeps a daemon from starting. A running daemon is then not stopped for repairs. */
  readonly blocksStart?: boolean;
}

export interface Fix {
  /** Whether no daemon may run meanwhile. */
  readonly needsStop: boolean;
  /** What was done, for the report. */
  readonly done: string;
  readonly run: (subject: Subject) => Promise<void>;
}

/** A finding that `--fix` has repaired. */
export interface Fixed extends Finding {
  readonly did: string;
}

/** Whether the system or SQLite can cause this error in a damaged installation. Any other error is a bug. */
export function isExpected(error: unknown): boolean {
  return error instanceof Failure || errorCode(error) !== undefined;
}

/** A finding that only informs. */
export function noted(sentence: string, detail: string, repair: string): Problem {
  return { severity: 'note', sentence, detail, repair, isFixable: false };
}

/** The finding for a check that failed. @throws the error itself if it is a bug */
export function checkFailed(error: unknown, place: string | null = null): Problem {
  if (!isExpected(error)) throw error;
  const { what, repair } = error instanceof Failure ? error : { what: messageOf(error), repair: null };
  return {
    severity: 'warning',
    sentence: 'this check failed',
    detail: place === null ? what : `${place}: ${what}`,
    repair: repair ?? 'correct that, then run `memd doctor`',
    isFixable: false,
  };
}
