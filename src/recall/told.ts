import { recallSessionsMax, recallToldMax } from '../limits.ts';

/** What each session was told and asked about, as far as this process remembers: the newest sessions, a bounded number of things each. */
export class Told {
  readonly #sessions = new Map<string, Set<string>>();

  /** Whether `thing` is new to the session, which knows it from now on. */
  add(session: string, thing: string): boolean {
    const known = this.#of(session);
    if (known.has(thing)) return false;
    known.add(thing);
    const [oldest] = known;
    if (known.size > recallToldMax && oldest !== undefined) known.delete(oldest);
    return true;
  }

  has(session: string, thing: string): boolean {
    return this.#sessions.get(session)?.has(thing) === true;
  }

  #of(session: string): Set<string> {
    const known = this.#sessions.get(session) ?? new Set<string>();
    // Sessions stand in the order in which they were last heard of.
    this.#sessions.delete(session);
    this.#sessions.set(session, known);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > recallSessionsMax && oldest !== undefined) this.#sessions.delete(oldest);
    return known;
  }
}
