import { useEffect, useState } from 'preact/hooks';
import { api, lockedEvent, openStream } from './api.ts';
import {
  pollMs,
  rateWindowMs,
  retryMs,
  samplesMax,
  statusMs,
  streamRetryMs,
  streamSilenceMs,
} from './limits.ts';
import type { Live, Status } from './shapes.ts';
import { serverEvents } from './text/server-events.ts';

/** `polling`: the stream is not there, the figures are asked for every few seconds. */
export type Link = 'starting' | 'live' | 'polling' | 'gone' | 'locked';

export interface Sample {
  readonly atMs: number;
  readonly events: number;
}

export interface Watched {
  readonly link: Link;
  readonly status: Status | null;
  /** When the figures were last heard. */
  readonly heardMs: number;
  /** When the whole status was asked for: its uptime is from then. */
  readonly askedMs: number;
  /** Of the last minutes, oldest first. */
  readonly samples: readonly Sample[];
}

const nothing: Watched = { link: 'starting', status: null, heardMs: 0, askedMs: 0, samples: [] };

/** The figures as they are: by the stream, else by asking now and then; never silently old. */
export function useLive(): Watched {
  const [watched, setWatched] = useState(nothing);
  useEffect(() => {
    const stop = new AbortController();
    // A token that does not fit will not fit later: only a new visit brings another.
    const lock = (): void => {
      stop.abort();
      setWatched({ ...nothing, link: 'locked' });
    };
    window.addEventListener(lockedEvent, lock);
    void watch(stop.signal, setWatched);
    const timer = setInterval(() => void refresh(stop.signal, setWatched), statusMs);
    return () => {
      clearInterval(timer);
      window.removeEventListener(lockedEvent, lock);
      stop.abort();
    };
  }, []);
  return watched;
}

type Update = (change: (before: Watched) => Watched) => void;

async function watch(signal: AbortSignal, update: Update): Promise<void> {
  let streamNext = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const status = await api.status(signal);
      failures = 0;
      const isStreaming = performance.now() >= streamNext;
      update((before) => ({
        ...heard(before, status, isStreaming ? linkBefore(before.link) : 'polling'),
        askedMs: Date.now(),
      }));
      if (isStreaming) {
        await follow(signal, update);
        streamNext = performance.now() + streamRetryMs;
        continue;
      }
    } catch {
      // Whatever it is, the page stands without an answer; it says so and asks again.
      if (signal.aborted) return;
      update((before) => ({ ...before, link: 'gone' }));
      streamNext = 0;
      failures += 1;
    }
    await pause(failures > 0 ? Math.min(pollMs, retryMs * failures) : pollMs, signal);
  }
}

/** Asks now and then for what the stream does not send (scope, focus). */
async function refresh(signal: AbortSignal, update: Update): Promise<void> {
  try {
    const status = await api.status(signal);
    update((before) => refreshed(before, status));
  } catch {
    // The stream shows whether the daemon answers.
    return;
  }
}

/** The stream's values win: they may be newer than this status, and are sent only once. */
export function refreshed(before: Watched, status: Status): Watched {
  if (before.link !== 'live' || before.status === null) return before;
  const { counts, counters, backends, usage, budget, warnings } = before.status;
  const live: Live = { counts, counters, backends, usage, budget, warnings };
  return { ...before, status: { ...status, ...live }, askedMs: Date.now() };
}

/** Reads the stream until it ends, breaks or falls silent. */
async function follow(signal: AbortSignal, update: Update): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), streamSilenceMs);
  try {
    const body = await openStream(AbortSignal.any([signal, silence.signal]));
    for await (const { event, data } of serverEvents(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), streamSilenceMs);
      if (event !== 'counts') continue;
      const live: Live = JSON.parse(data);
      update((before) => heard(before, before.status && { ...before.status, ...live }, 'live'));
    }
  } catch {
    // A broken stream means little: the next status request shows whether the daemon runs.
    return;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

function heard(before: Watched, status: Status | null, link: Link): Watched {
  if (status === null) return { ...before, link };
  const atMs = performance.now();
  const kept = before.samples.filter((sample) => atMs - sample.atMs <= rateWindowMs);
  const last = kept.at(-1);
  const isNew = last === undefined || last.events !== status.counts.events;
  const samples = isNew ? [...kept.slice(-samplesMax), { atMs, events: status.counts.events }] : kept;
  return { ...before, link, status, heardMs: Date.now(), samples };
}

/** Until the stream speaks, the first answer is all there is. */
function linkBefore(link: Link): Link {
  return link === 'gone' || link === 'locked' ? 'starting' : link;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
