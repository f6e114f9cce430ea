import { Browse, BrowseSessions, type Counts, type Store } from '../../../memory/store/index.ts';
import { placeText, sessionPlaceText } from '../cursor.ts';
import type { ReadRequest } from './messages.ts';

const bridgeMemoryEdgesMax = 150;

/** Answers reads of one open database. */
export class Reads {
  readonly #store: Store;
  readonly #browse: Browse;
  readonly #sessions: BrowseSessions;
  #counted: { readonly version: number; readonly counts: Counts } | null = null;

  constructor(store: Store) {
    this.#store = store;
    this.#browse = new Browse(store);
    this.#sessions = new BrowseSessions(store);
  }

  /** Null when what was asked for is not there. */
  read(request: ReadRequest): object | null {
    switch (request.kind) {
      case 'summaries': {
        const { summaries, next } = this.#browse.summaries(request);
        return { summaries, next: next && placeText(next) };
      }
      case 'summary':
        return this.#summary(request.id);
      case 'graph':
        return this.#browse.graph(request.id, request.depth);
      case 'sessions': {
        const { sessions, next } = this.#sessions.sessions(request.limit, request.before);
        return { sessions, next: next && sessionPlaceText(next) };
      }
      case 'tools':
        return { tools: this.#sessions.tools() };
      case 'counts':
        return this.#counts();
    }
  }

  /** In the form of the socket's `get`, and what a listing tells. */
  #summary(id: number): object | null {
    const found = this.#browse.summary(id);
    if (found === null) return null;
    const { embedding, ...summary } = found;
    return {
      ...summary,
      embedder: embedding?.embedder ?? null,
      dimension: embedding?.dim ?? null,
      edges: this.#store.edges.touching([id]).slice(0, bridgeMemoryEdgesMax),
    };
  }

  /** Counting looks at every row of an index; that something has been written costs nothing to see. */
  #counts(): Counts {
    const version = this.#store.connection.dataVersion();
    if (this.#counted?.version === version) return this.#counted.counts;
    const counts = this.#store.stats.counts();
    this.#counted = { version, counts };
    return counts;
  }
}
