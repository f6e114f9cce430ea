import type { Change, OpenNow, SessionPart, StepDetail } from './shapes.ts';

/** A session in a file of its own, which `mem log --html` writes (src/service/bridge/saved-page.ts). */
export interface Saved extends Pick<SessionPart, 'session' | 'account' | 'reply' | 'steps'> {
  readonly standing: OpenNow;
  /** By `seq`. */
  readonly details: Readonly<Record<string, StepDetail>>;
  /** By path. */
  readonly changes: Readonly<Record<string, Change>>;
  readonly root: string;
  readonly savedMs: number;
}

/** Unit tests have no document. */
const element = globalThis.document?.getElementById('memd-saved') ?? null;

/** Null on the page of a daemon. */
export const saved: Saved | null = element === null ? null : JSON.parse(element.textContent ?? 'null');

/** The answers of a saved session. */
export const savedApi = {
  session: ({ session, account, reply, steps }: Saved): SessionPart => ({
    ...{ session, account, reply, steps },
    last: null,
    isEnd: true,
  }),
  standing: ({ standing }: Saved): OpenNow => standing,
  event: ({ details }: Saved, seq: number): StepDetail => held(details, String(seq)),
  change: ({ changes }: Saved, path: string): Change => held(changes, path),
};

function held<T>(of: Readonly<Record<string, T>>, key: string): T {
  const found = Object.hasOwn(of, key) ? of[key] : undefined;
  if (found === undefined) throw new Error('the session is too long for one file, which has its first calls');
  return found;
}
