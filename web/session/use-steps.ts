import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import type { Session, SessionAccount, Step } from '../shapes.ts';

/** The first part is small, so that it stands there soon. */
const firstSteps = 60;
const furtherSteps = 300;

interface Held {
  readonly id: string;
  readonly session: Session | null;
  readonly account: SessionAccount | null;
  readonly steps: readonly Step[];
  readonly last: string | null;
  /** All that there is has come. */
  readonly isWhole: boolean;
  readonly error: unknown;
}

export interface Steps extends Held {
  readonly again: () => void;
}

const nothing = (id: string): Held => ({
  id,
  session: null,
  account: null,
  steps: [],
  last: null,
  isWhole: false,
  error: null,
});

/** The steps of a session, part by part, and what comes while one looks: `generation` grows with every event. */
export function useSteps(id: string, generation: number): Steps {
  const [held, setHeld] = useState(() => nothing(id));
  const [turn, setTurn] = useState(0);
  const newest = useRef(held);
  useEffect(() => {
    const stop = new AbortController();
    const show = (next: Held): void => {
      if (stop.signal.aborted) return;
      newest.current = next;
      setHeld(next);
    };
    const before = newest.current.id === id ? newest.current : nothing(id);
    load(before, stop.signal, show).catch((error: unknown) =>
      show({ ...(newest.current.id === id ? newest.current : nothing(id)), error }),
    );
    return () => stop.abort();
  }, [id, generation, turn]);
  const shown = held.id === id ? held : nothing(id);
  return { ...shown, again: () => setTurn((last) => last + 1) };
}

/** Asks for what follows what is held. Events that came late, with an earlier time, make it ask for all again. */
async function load(before: Held, signal: AbortSignal, show: (next: Held) => void): Promise<void> {
  let held = before;
  for (;;) {
    const limit = held.steps.length === 0 ? firstSteps : furtherSteps;
    const part = await api.session(held.id, held.last, limit, signal);
    const steps = [...held.steps, ...part.steps];
    const isLate = part.isEnd && steps.length !== part.session.events;
    if (isLate && before.steps.length > 0) {
      await load(nothing(before.id), signal, show);
      return;
    }
    held = { ...held, ...part, steps, isWhole: part.isEnd, error: null };
    // Each part drawn costs as much as it takes to come: only the first and the last are.
    if (part.isEnd || steps.length <= firstSteps) show(held);
    if (part.isEnd) return;
  }
}
