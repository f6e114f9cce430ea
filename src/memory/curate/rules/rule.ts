import type { Facts } from '../facts.ts';

/** Two summaries in the order of their events. */
export interface Pair {
  readonly older: Facts;
  readonly newer: Facts;
}

/** What a rule found of a pair. The evidence names what a person can look up. */
export interface Finding {
  readonly kind: 'supersedes' | 'contradicts';
  readonly evidence: string;
}

/** What a rule may ask beyond the pair. */
export interface Surroundings {
  /** What happened between the two in time, latest first; null when it is too much or too long to tell. */
  readonly between: () => readonly Facts[] | null;
  /** The newer one's session had begun before the older one happened, so that neither need know of the other. */
  readonly sideBySide: () => boolean;
}

/** Answers null when it has nothing to say of the pair. */
export type Rule = (pair: Pair, around: Surroundings) => Finding | null;

/** How evidence names a summary: `#12 (2026-01-02T10:00:00Z)`. */
export function named({ id, ts }: Pick<Facts, 'id' | 'ts'>): string {
  return `#${id} (${ts.replace(/\.\d+Z$/, 'Z')})`;
}

/** Both ran where the same files are: another folder may be another branch, and one that nobody told, any. */
export function sameLocation({ older, newer }: Pair): boolean {
  return older.place === newer.place && (older.place !== null || older.sessionId === newer.sessionId);
}
