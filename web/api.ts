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

/** The bridge's routes. Every call carries the tab's token; each may throw an `ApiError`, or an abort. */
export const api = {
  status: (signal?: AbortSignal) => get<Status>('/api/status', signal),
  memory: (id: number, signal?: AbortSignal) => get<Memory>(`/api/summaries/${id}`, signal),
  tools: async (signal?: AbortSignal) =>
    (await get<{ tools: readonly ToolCount[] }>('/api/tools', signal)).tools,
  timeline: (id: number, signal?: AbortSignal) =>
    get<Timeline>(`/api/timeline?${parameters({ id })}`, signal),
  graph: (id: number, depth: number, signal?: AbortSignal) =>
    get<Graph>(`/api/graph?${parameters({ id, depth })}`, signal),
  summaries: async (
    filters: Filters,
    limit: number,
    before: string | null,
    signal?: AbortSignal,
  ): Promise<Page<Summary>> => {
    const asked = parameters({ limit, before, ...withTimes(filters) });
    const reply = await get<{ summaries: readonly Summary[]; next: string | null }>(
      `/api/summaries?${asked}`,
      signal,
    );
    return { rows: reply.summaries, next: reply.next };
  },
  session: async (id: string, after: string | null, limit: number, signal?: AbortSignal) =>
    saved !== null
      ? savedApi.session(saved)
      : get<SessionPart>(`/api/session?${parameters({ id, after, limit })}`, signal),
  change: async (id: string, path: string, signal?: AbortSignal) =>
    saved !== null
      ? savedApi.change(saved, path)
      : get<Change>(`/api/change?${parameters({ id, path })}`, signal),
  standing: async (id: string, signal?: AbortSignal) =>
    saved !== null ? savedApi.standing(saved) : get<OpenNow>(`/api/standing?${parameters({ id })}`, signal),
  standings: async (ids: readonly string[], signal: AbortSignal) => {
    const asked = new URLSearchParams(ids.map((id) => ['id', id]));
    return (await get<{ standings: Standings }>(`/api/standings?${asked}`, signal)).standings;
  },
  event: async (seq: number, signal?: AbortSignal) =>
    saved !== null
      ? savedApi.event(saved, seq)
      : get<StepDetail>(`/api/event?${parameters({ seq })}`, signal),
  file: (path: string, signal?: AbortSignal) => get<FileHistory>(`/api/file?${parameters({ path })}`, signal),
  states: async (ids: readonly number[], file: string, signal?: AbortSignal) =>
    (
      await get<{ states: Readonly<Record<string, EditState>> }>(
        `/api/states?${parameters({ ids: ids.join(','), file })}`,
        signal,
      )
    ).states,
  projects: async (signal?: AbortSignal) =>
    (await get<{ projects: readonly Project[] }>('/api/projects', signal)).projects,
  pinned: async (limit: number, signal?: AbortSignal) =>
    (
      await get<{ summaries: readonly Summary[] }>(
        `/api/summaries?${parameters({ limit, pinned: 1 })}`,
        signal,
      )
    ).summaries,
  sessions: async (
    limit: number,
    before: string | null,
    file: string,
    signal?: AbortSignal,
  ): Promise<Page<Session>> => {
    const asked = parameters({ limit, before, file });
    const reply = await get<{ sessions: readonly Session[]; next: string | null }>(
      `/api/sessions?${asked}`,
      signal,
    );
    return { rows: reply.sessions, next: reply.next };
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

function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return json<T>(path, signal === undefined ? {} : { signal });
}

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
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    if (typeof error?.message === 'string') return error.message;
  } catch {
    // Not JSON: only the status line is known.
    return `${response.status} ${response.statusText}`;
  }
  return `${response.status} ${response.statusText}`;
}

function parameters(values: Readonly<Record<string, string | number | null>>): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== '') asked.set(name, String(value));
  }
  return asked.toString();
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
