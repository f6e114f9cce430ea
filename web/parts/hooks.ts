import { options } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { clockTickMs, derivedMs } from '../limits.ts';

export interface Loaded<T> {
  /** The newest answer; while another is on its way, still the one before. */
  readonly value: T | null;
  /** What `value` is the answer to. */
  readonly key: string | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Asks whenever `key` changes and drops outdated answers; a null key asks nothing. */
export function useLoad<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>(idle);
  const newest = useRef(ask);
  newest.current = ask;
  // A turn is one more try of the same question.
  useEffect(() => {
    if (key === null) {
      setState(idle);
      return;
    }
    const stop = new AbortController();
    setState((before) => ({ ...before, isLoading: true, error: null }));
    newest.current(stop.signal).then(
      (value) => stop.signal.aborted || setState({ value, key, error: null, isLoading: false }),
      (error: unknown) =>
        stop.signal.aborted || setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => stop.abort();
  }, [key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, again };
}

/**
 * Whether the question that the key begins with was not answered, and what is held, if anything, is the answer to another one. An
 * answer to the same question, asked once more in vain, is shown still.
 */
export function hasFailed({ value, key, error }: Loaded<unknown>, question: string): boolean {
  return error !== null && (value === null || key?.startsWith(question) !== true);
}

const idle = { value: null, key: null, error: null, isLoading: false };

/** How often `value` has changed since it was first known: the first answer of all is no news to who has just asked. */
export function useGeneration(value: number | null): number {
  const last = useRef(value);
  const generation = useRef(0);
  if (value !== null && value !== last.current) {
    if (last.current !== null) generation.current += 1;
    last.current = value;
  }
  return generation.current;
}

/** A key that changes with `generation`, and once more when that has rested: what is derived from memories is written after them. */
export function useLateKey(generation: number): string {
  return `${generation} ${useSettled(generation, derivedMs)}`;
}

/** The time, moving on often enough for "3 min ago". */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), clockTickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `value` once it has stood still for so long. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

/** Shows what paper has to show. The browser prints what is in the document when its event ends. */
export function useBeforePrint(show: () => void, isWanted = true): void {
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    if (!isWanted) return;
    const print = (): void => {
      options.debounceRendering = (render) => render();
      latest.current();
      delete options.debounceRendering;
    };
    window.addEventListener('beforeprint', print);
    return () => window.removeEventListener('beforeprint', print);
  }, [isWanted]);
}
