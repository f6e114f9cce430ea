import type { ListCursor, SessionCursor } from '../../memory/store/index.ts';

/** `TS~ID`: the row of a listing that was seen last, for `before`. */
export function placeText({ ts, id }: { readonly ts: string; readonly id: number }): string {
  return `${ts}~${id}`;
}

/** A place in a listing of summaries: a cursor, an id, or a time; null when it is none of them. */
export function placeOf(text: string): ListCursor | null {
  if (idForm.test(text)) return { id: Number(text) };
  const [time = '', id, ...more] = text.split('~');
  const ts = timeOf(time);
  if (ts === null || more.length > 0) return null;
  if (id === undefined) return { ts, id: null };
  return idForm.test(id) ? { ts, id: Number(id) } : null;
}

/** `TS~SEQ~SESSION`, the session as it is: only the first two `~` separate. */
export function sessionPlaceText({ ts, session, upTo }: SessionCursor): string {
  return `${ts}~${upTo ?? ''}~${session}`;
}

/** A place in a listing of sessions: a cursor or a time; null when it is neither. */
export function sessionPlaceOf(text: string): SessionCursor | null {
  const [time = '', upTo, ...session] = text.split('~');
  const ts = timeOf(time);
  if (ts === null) return null;
  if (upTo === undefined) return { ts, session: '', upTo: null };
  return idForm.test(upTo) && session.length > 0
    ? { ts, session: session.join('~'), upTo: Number(upTo) }
    : null;
}

/** The one form in which times are stored and compared as text, or null for what is no ISO 8601 time. */
export function timeOf(text: string): string | null {
  if (!/^\d{4}-\d\d(-\d\d|$)/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A whole number that SQLite and JavaScript agree about. */
const idForm = /^[1-9]\d{0,14}$/;
