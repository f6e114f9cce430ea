export const recallSessionsMax = 64;
export const recallsGivenMax = 256;

/** The memories that each session got from this process: of the newest sessions, the newest memories. */
export class Given {
  readonly #sessions = new Map<string, Set<number>>();

  add(session: string, id: number): void {
    const ids = this.#sessions.get(session) ?? new Set<number>();
    ids.add(id);
    const [oldestId] = ids;
    if (ids.size > recallsGivenMax && oldestId !== undefined) ids.delete(oldestId);
    // A map keeps insertion order, so the session used last is at the end.
    this.#sessions.delete(session);
    this.#sessions.set(session, ids);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > recallSessionsMax && oldest !== undefined) this.#sessions.delete(oldest);
  }

  has(session: string, id: number): boolean {
    return this.#sessions.get(session)?.has(id) === true;
  }
}
