import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import type { OpenNow, SessionPart, Step } from '../shapes.ts';

/** The first part is small, so that it stands there soon. */
const firstSteps = 60;
const furtherSteps = 300;

interface Held extends Pick<SessionPart, 'account' | 'reply' | 'last'> {
  readonly id: string;
  readonly session: SessionPart['session'] | null;
  /** What git says of the work that no call committed. */
  readonly now: OpenNow | null;
  readonly steps: readonly Step[];
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
  reply: null,
  now: null,
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
  const isFirst = held.session === null;
  // It comes later, or the next time.
  const standing = (): Promise<OpenNow | null> => api.standing(held.id, signal).catch(() => null);
  const asked = isFirst ? standing() : null;
  for (;;) {
    const limit = held.steps.length === 0 ? firstSteps : furtherSteps;
    const part = await api.session(held.id, held.last, limit, signal);
    const now = held.session === null && asked !== null ? await inTime(asked) : held.now;
    const steps = [...held.steps, ...part.steps];
    const isLate = part.isEnd && steps.length !== part.session.events;
    if (isLate && before.steps.length > 0) {
      await load(nothing(before.id), signal, show);
      return;
    }
    const { account, reply } = part.account === null ? held : part;
    held = { ...held, ...part, account, reply, now, steps, isWhole: part.isEnd, error: null };
    // Each part drawn costs as much as it takes to come: only the first and the last are.
    if (part.isEnd || steps.length <= firstSteps) show(held);
    if (part.isEnd) break;
  }
  if (held.now !== null && (isFirst || before.session?.lastTs === held.session?.lastTs)) return;
  const now = await (asked ?? standing());
  if (now !== null) show({ ...held, now });
}

/** The header waits a little for git, and is drawn once. */
function inTime(asked: Promise<OpenNow | null>): Promise<OpenNow | null> {
  return Promise.race([asked, new Promise<null>((late) => setTimeout(late, gitMs, null))]);
}

const gitMs = 250;
