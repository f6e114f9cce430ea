import type { Whereabouts } from './place.ts';

/** Whether what a memory says is still so in the working tree. Nothing is ever called wrong. */
export type StateVerdict = 'current' | 'changed' | 'gone' | 'unknown';

/** See docs/state.md. */
export interface State {
  readonly verdict: StateVerdict;
  /** The reason in words, with counts and paths. */
  readonly detail: string;
  /** Of a run: how the later one ended. */
  readonly later?: string;
}

/** Compares what was read of a memory with the project as it is now. */
export type Check = (parts: Whereabouts) => Promise<State>;

export function unknown(detail: string): State {
  return { verdict: 'unknown', detail };
}

/** A path or a command on one line. */
export function shown(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?').slice(0, shownCharsMax);
}

const shownCharsMax = 200;
