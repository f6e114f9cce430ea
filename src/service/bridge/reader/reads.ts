import { SessionAccounts } from '#memory/account';
import {
  Browse,
  BrowseSessions,
  detailsOf,
  type ListRequest,
  type SessionCursor,
  type StepCursor,
  type Store,
  timelineOf,
} from '#memory/store';
import { fileHistory, headOf, sessionDiff, stepDetail, stepsOf } from '#query/sessions';
import { placeText, sessionPlaceText } from '../cursor.ts';

const bridgeMemoryEdgesMax = 150;

/** The reads of one open database, each as JSON in UTF-8; null when what was asked for does not exist. */
export type ReaderOps = ReturnType<typeof readerOps>;

export function readerOps(store: Store) {
  const browse = new Browse(store);
  const browseSessions = new BrowseSessions(store);
  const accounts = new SessionAccounts(store);
  return {
    summaries: (request: ListRequest) => {
      const { summaries, next } = browse.summaries(request);
      return asJson({ summaries, next: next && placeText(next) });
    },
    summary: ({ id, state }: { readonly id: number; readonly state: object | null }) => {
      const found = detailed(store, browse, id);
      return asJson(found === null ? null : { ...found, state });
    },
    graph: ({ id, depth }: { readonly id: number; readonly depth: number }) =>
      asJson(browse.graph(id, depth)),
    timeline: ({ id }: { readonly id: number }) => asJson(timelineOf(store, id, undefined)),
    sessions: ({ limit, before, file }: SessionsRequest) => {
      const { sessions, next } = browseSessions.sessions(limit, before, file);
      return asJson({ sessions: accounts.withBriefs(sessions), next: next && sessionPlaceText(next) });
    },
    session: ({ session: id, after, limit }: SessionRequest) => {
      const session = browseSessions.session(id);
      if (session === null) return null;
      const { steps, last, isEnd } = stepsOf(store, id, after, limit);
      // It is long, and the page shows none of the parts between.
      const account = after === null || isEnd ? accounts.of(id) : null;
      return asJson({
        ...headOf(store, session, account),
        steps,
        last: last && placeText({ ts: last.ts, id: last.seq }),
        isEnd,
      });
    },
    change: ({ session, path }: { readonly session: string; readonly path: string }) =>
      asJson(sessionDiff(store, session, path)),
    event: ({ seq }: { readonly seq: number }) => asJson(stepDetail(store, seq)),
    file: ({ path }: { readonly path: string }) =>
      asJson(fileHistory(store, path, (id) => accounts.of(id)?.fixes ?? [])),
    tools: () => asJson({ tools: browseSessions.tools() }),
    counts: () => store.stats.counts(),
    close: () => store.close(),
  };
}

interface SessionsRequest {
  readonly limit: number;
  readonly before: SessionCursor | null;
  readonly file: string | null;
}

interface SessionRequest {
  readonly session: string;
  readonly after: StepCursor | null;
  readonly limit: number;
}

/** The fields of the socket's `get`, and those of a listing. */
function detailed(store: Store, browse: Browse, id: number): object | null {
  const found = browse.summary(id);
  // A session is read as the socket's `get` reads it.
  if (found === null) return detailsOf(store, [id])[0] ?? null;
  const { embedding, ...summary } = found;
  return {
    ...summary,
    embedder: embedding?.embedder ?? null,
    dimension: embedding?.dim ?? null,
    edges: store.edges.touching([id]).slice(0, bridgeMemoryEdgesMax),
  };
}

function asJson(answer: object | null): Uint8Array | null {
  return answer === null ? null : Uint8Array.from(Buffer.from(JSON.stringify(answer)));
}
