import type { Check } from '#reading/checks';
import type { CheckRun, Command } from './account.ts';

export interface Run extends CheckRun {
  readonly at: number;
}

export interface Kept {
  readonly command: Command;
  readonly at: number;
  /** How often it passed. */
  readonly passes: number;
  /** Those that do some work; null for what is no check. */
  readonly steps: readonly { readonly name: string; readonly check: Check | null }[];
  /** All that it says: its checks, or what its program is to do; empty for one that did both. */
  readonly says: readonly string[];
}

export interface FailedCall {
  readonly seq: number;
  /** Of checks the names of those that failed, of another call its own. */
  readonly names: readonly string[];
  readonly isCheck: boolean;
}

export function bare({ seq, ts, command, said }: Run): CheckRun {
  return { seq, ts, command, said };
}
