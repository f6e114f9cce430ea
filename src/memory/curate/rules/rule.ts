import type { ComparedCall } from '../compared-call.ts';

/** Two summaries in order of time. */
export interface Pair {
  readonly older: ComparedCall;
  readonly newer: ComparedCall;
}

/** The finding of a rule. Its evidence names what a person can look up. */
export interface Finding {
  readonly kind: 'supersedes' | 'contradicts';
  readonly evidence: string;
}

export interface Surroundings {
  /** The calls between the two in time, latest first; null when there are too many. */
  readonly between: () => readonly ComparedCall[] | null;
  /** The session of the newer call had begun before the older call, so neither need know of the other. */
  readonly sideBySide: () => boolean;
}

/** Returns null when it does not decide the pair. */
export type Rule = (pair: Pair, around: Surroundings) => Finding | null;

/** How evidence names a summary: `#12 (2026-01-02T10:00:00Z)`. */
export function named({ id, ts }: Pick<ComparedCall, 'id' | 'ts'>): string {
  return `#${id} (${ts.replace(/\.\d+Z$/, 'Z')})`;
}

/** Both calls worked in the same folder. Another folder may be another branch; an unknown one may be any. */
export function sameLocation({ older, newer }: Pair): boolean {
  return older.folder === newer.folder && (older.folder !== null || older.sessionId === newer.sessionId);
}
