import type { Connection } from './connection.ts';
import { DigestTable } from './digests.ts';
import { type Summary, SummaryTable } from './summaries.ts';

/** What a hit of any kind can be: a summary of a call or message, or the digest of a session. */
export class Memories {
  readonly #summaries: SummaryTable;
  readonly #digests: DigestTable;

  constructor(connection: Connection) {
    this.#summaries = new SummaryTable(connection);
    this.#digests = new DigestTable(connection);
  }

  /** Those of `ids` that exist, in their order. */
  get(ids: readonly number[]): Summary[] {
    const found = new Map(
      [...this.#summaries.get(ids), ...this.#digests.hits(ids)].map((one) => [one.id, one]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Returns whether the memory exists. */
  pin(id: number, pinned: boolean): boolean {
    return this.#summaries.pin(id, pinned) || this.#digests.pin(id, pinned);
  }

  /** The neighbours of a memory in its session; a digest stands after the last of them. */
  timeline(id: number, window: number): ReturnType<SummaryTable['timeline']> {
    const digest = this.#digests.hits([id])[0];
    if (digest === undefined) return this.#summaries.timeline(id, window);
    const before = this.#summaries.recent(window, null, { session: digest.sessionId });
    return { before: before.reverse(), summary: digest, after: [] };
  }
}
