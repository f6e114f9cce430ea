import { requestMs } from './limits.ts';
import { saved, savedApi } from './saved.ts';
import type {
  Change,
  EditState,
  FileHistory,
  Filters,
  Found,
  Graph,
  Memory,
  OpenNow,
  Project,
  Session,
  SessionPart,
  Standings,
  Status,
  StepDetail,
  Summary,
  Timeline,
  ToolCount,
  Why,
} from './shapes.ts';

/** `gone`: the daemon does not answer; `locked`: the token is not valid; `refused`: the daemon refused, with a message. */
export type Trouble = 'gone' | 'locked' | 'refused';

export class ApiError extends Error {
  readonly trouble: Trouble;
  readonly status: number;

  constructor(trouble: Trouble, message: string, status = 0) {
    super(message);
    this.trouble = trouble;
    this.status = status;
  }
}

/** Sent to the window when a call finds that the token is not valid. */
export const lockedEvent = 'memd.locked';

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

type Summaries = { readonly summaries: readonly Summary[]; readonly next: string | null };
type Sessions = { readonly sessions: readonly Session[]; readonly next: string | null };

/** The bridge's routes. Every call carries the tab's token; each may throw an `ApiError`, or an abort. */
export const api = {
  status: (signal?: AbortSignal) => get<Status>('/api/status', signal),
  memory: (id: number, signal?: AbortSignal) => get<Memory>(`/api/summaries/${id}`, signal),
  tools: async (signal?: AbortSignal) =>
    (await get<{ tools: readonly ToolCount[] }>('/api/tools', signal)).tools,
  timeline: (id: number, signal?: AbortSignal) => get<Timeline>('/api/timeline', signal, { id }),
  graph: (id: number, depth: number, signal?: AbortSignal) => get<Graph>('/api/graph', signal, { id, depth }),
  summaries: async (
    filters: Filters,
    limit: number,
    before: string | null,
    signal?: AbortSignal,
  ): Promise<Page<Summary>> => {
    const asked = { limit, before, ...withTimes(filters) };
    const { summaries, next } = await get<Summaries>('/api/summaries', signal, asked);
    return { rows: summaries, next };
  },
  session: async (id: string, after: string | null, limit: number, signal?: AbortSignal) =>
    saved !== null ? savedApi.session(saved) : get<SessionPart>('/api/session', signal, { id, after, limit }),
  change: async (id: string, path: string, signal?: AbortSignal) =>
    saved !== null ? savedApi.change(saved, path) : get<Change>('/api/change', signal, { id, path }),
  standing: async (id: string, signal?: AbortSignal) =>
    saved !== null ? savedApi.standing(saved) : get<OpenNow>('/api/standing', signal, { id }),
  standings: async (ids: readonly string[], signal: AbortSignal) => {
    const asked = new URLSearchParams(ids.map((id) => ['id', id]));
    return (await get<{ standings: Standings }>(`/api/standings?${asked}`, signal)).standings;
  },
  event: async (seq: number, signal?: AbortSignal) =>
    saved !== null ? savedApi.event(saved, seq) : get<StepDetail>('/api/event', signal, { seq }),
  file: (path: string, signal?: AbortSignal) => get<FileHistory>('/api/file', signal, { path }),
  states: async (ids: readonly number[], file: string, signal?: AbortSignal) => {
    const asked = { ids: ids.join(','), file };
    return (await get<{ states: Readonly<Record<string, EditState>> }>('/api/states', signal, asked)).states;
  },
  projects: async (signal?: AbortSignal) =>
    (await get<{ projects: readonly Project[] }>('/api/projects', signal)).projects,
  pinned: async (limit: number, signal?: AbortSignal) =>
    (await get<Summaries>('/api/summaries', signal, { limit, pinned: 1 })).summaries,
  sessions: async (
    limit: number,
    before: string | null,
    file: string,
    signal?: AbortSignal,
  ): Promise<Page<Session>> => {
    const asked = { limit, before, file };
    const { sessions, next } = await get<Sessions>('/api/sessions', signal, asked);
    return { rows: sessions, next };
  },
  search: async (query: string, topK: number, filters: Filters, signal?: AbortSignal) => {
    const { since, until } = withTimes(filters);
    const body = { query, topK, ...limitsOf(filters) };
    const { hits, ...limits } = await post<Found>('/api/search', body, signal);
    const inTime = hits.filter(({ ts }) => (since === '' || ts >= since) && (until === '' || ts < until));
    return { ...limits, hits: inTime };
  },
  why: (query: string, id: number, filters: Filters, signal?: AbortSignal) =>
    post<Why>('/api/why', { query, id, ...limitsOf(filters) }, signal),
};

/** The live stream's body; the caller reads it and closes it by the signal. */
export async function openStream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await send('/api/stream', { signal });
  if (response.body === null) throw new ApiError('refused', 'the stream is empty', response.status);
  return response.body;
}

export function token(): string | null {
  return sessionStorage.getItem('memd.token');
}

/** What is null or empty is not asked for. */
function get<T>(path: string, signal?: AbortSignal, values: Values = {}): Promise<T> {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== '') asked.set(name, String(value));
  const address = asked.size === 0 ? path : `${path}?${asked}`;
  return json<T>(address, signal === undefined ? {} : { signal });
}

type Values = Readonly<Record<string, string | number | null>>;

function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return json<T>(path, signal === undefined ? init : { ...init, signal });
}

async function json<T>(path: string, { signal, ...init }: RequestInit): Promise<T> {
  const patience = AbortSignal.timeout(requestMs);
  const either = signal ? AbortSignal.any([signal, patience]) : patience;
  const response = await send(path, { ...init, signal: either });
  return await response.json();
}

async function send(path: string, { headers, ...init }: RequestInit): Promise<Response> {
  const response = await reach(path, {
    ...init,
    headers: { ...headers, authorization: `Bearer ${token() ?? ''}` },
    cache: 'no-store',
  });
  if (response.ok) return response;
  if (response.status === 401) window.dispatchEvent(new Event(lockedEvent));
  if (response.status === 401) throw new ApiError('locked', 'the token does not fit', 401);
  throw new ApiError('refused', await complaint(response), response.status);
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    // The caller's own abort is no trouble of the daemon's.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('gone', 'the daemon does not answer');
  }
}

async function complaint(response: Response): Promise<string> {
  // If it is not JSON, only the status line is known.
  const message = (await response.json().catch(() => null))?.error?.message;
  return typeof message === 'string' ? message : `${response.status} ${response.statusText}`;
}

/** The filters of a search: its ranks are among what they let through. */
function limitsOf(filters: Filters): object {
  const { kind, session, tool, since, until } = withTimes(filters);
  return {
    ...(kind && { kinds: [kind] }),
    ...(session && { session }),
    ...(tool && { tool }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

/** What the bridge is asked for: a span such as `7d` becomes the moment that long ago. */
export function withTimes(
  { kind, session, tool, since, until }: Filters,
  nowMs = Date.now(),
): Record<keyof Filters, string> {
  const span = /^(\d+)([hd])$/.exec(since);
  if (span === null) return { kind, session, tool, since, until };
  const ms = Number(span[1]) * (span[2] === 'h' ? 3_600_000 : 86_400_000);
  return { kind, session, tool, since: new Date(nowMs - ms).toISOString(), until };
}
