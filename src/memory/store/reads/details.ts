import type { Store } from '../store.ts';
import { messageText, shownPayload } from '../tables/payload.ts';
import type { Summary } from '../tables/summaries.ts';
import { type Timeline, Timelines } from './timelines.ts';

const windowDefault = 5;
/** Of a turn or a session, on each side. */
const sideMax = 500;

/** A memory of any kind with payload, embedder and edges (the `get` op). A session has no payload. */
export function detailsOf(store: Store, ids: readonly number[]) {
  const found = new Map(store.summaries.get(ids).map((summary) => [summary.id, detailed(store, summary)]));
  return ids.flatMap((id) => found.get(id) ?? sessionDetail(store, id) ?? []);
}

/** The text of a message is its own, whole; the memory's text if the payload was shrunk or edited. */
function detailed(store: Store, summary: Summary) {
  const payload = shownPayload(store.summaries.payloadJson(summary.id) ?? 'null');
  const vector = store.embeddings.describe(summary.id);
  const edges = store.edges.touching([summary.id]);
  const text = (summary.kind === 'message' ? messageText(payload) : null) ?? summary.text;
  return {
    ...{ ...summary, text, payload },
    ...{ embedder: vector?.embedder ?? null, dimension: vector?.dim ?? null, edges },
  };
}

function sessionDetail(store: Store, id: number): ReturnType<typeof detailed> | null {
  const session = sessionSummary(store, id);
  return session === null ? null : { ...session, payload: null, embedder: null, dimension: null, edges: [] };
}

/** The digest of a session in the shape of a memory; null if none has this id. */
export function sessionSummary({ digests }: Pick<Store, 'digests'>, id: number): Summary | null {
  const [hit] = digests.hits([id]);
  if (hit === undefined) return null;
  const { terms: _, ...summary } = hit;
  return summary;
}

/**
 * What happened around a memory. Without `window`: the five before and after a call, the whole turn of a message, and the
 * memories of a session. Null if the memory does not exist.
 */
export function timelineOf(store: Store, id: number, window: number | undefined): Timeline | null {
  const timelines = new Timelines(store);
  const [summary] = store.summaries.get([id]);
  if (summary?.kind === 'message' && window === undefined) return timelines.turn(summary, sideMax);
  if (summary !== undefined) return timelines.around(summary, window ?? windowDefault);
  const session = sessionSummary(store, id);
  if (session === null) return null;
  return { before: [], summary: session, after: timelines.start(session.sessionId, window ?? sideMax) };
}
