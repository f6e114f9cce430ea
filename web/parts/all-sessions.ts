import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { sessionsPage } from '../limits.ts';
import type { Session } from '../shapes.ts';

export interface AllSessions {
  /** Newest first; while more are on their way, those that have come. Null before the first answer. */
  readonly sessions: readonly Session[] | null;
  readonly isWhole: boolean;
  readonly error: unknown;
  readonly again: () => void;
}

/**
 * All sessions, page by page. `file`: only those that name such a file. Asked again when `key` changes, or when `events` says that the
 * memory has more events than the list; what is shown stays until then.
 */
export function useAllSessions(key: string, events: number | null, file = ''): AllSessions {
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<Omit<AllSessions, 'again'> & { readonly file: string }>(nothing);
  useEffect(() => {
    const stop = new AbortController();
    const show = (sessions: readonly Session[], isWhole: boolean): void => {
      if (stop.signal.aborted) return;
      // What was listed stays until all is there again, so that the list does not shrink for a moment.
      setHeld((before) =>
        isWhole || before.file !== file || sessions.length > (before.sessions?.length ?? 0)
          ? { sessions, isWhole, error: null, file }
          : before,
      );
    };
    load(file, stop.signal, show).catch((error: unknown) => {
      if (!stop.signal.aborted) setHeld((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [key, file, turn]);
  const listed = held.sessions?.reduce((sum, session) => sum + session.events, 0) ?? 0;
  useEffect(() => {
    // An event may be committed after the list was read and before the first count came.
    if (file === '' && held.isWhole && events !== null && listed < events) setTurn((before) => before + 1);
  }, [file, held.isWhole, listed, events]);
  return { ...held, again: () => setTurn((before) => before + 1) };
}

async function load(
  file: string,
  signal: AbortSignal,
  show: (sessions: readonly Session[], isWhole: boolean) => void,
): Promise<void> {
  const found = new Map<string, Session>();
  for (let before: string | null = null; ; ) {
    const { rows, next } = await api.sessions(sessionsPage, before, file, signal);
    for (const row of rows) if (!found.has(row.sessionId)) found.set(row.sessionId, row);
    show([...found.values()], next === null);
    if (next === null) return;
    before = next;
  }
}

const nothing = { sessions: null, isWhole: false, error: null, file: '' };
