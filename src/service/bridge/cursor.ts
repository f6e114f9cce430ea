import type { ListCursor, SessionCursor } from '#memory/store';

/** `TS~ID`: the last row of a page, for `before`. */
export function placeText({ ts, id }: { readonly ts: string; readonly id: number }): string {
  return `${ts}~${id}`;
}

/** A position in a listing of summaries: a cursor, an id, or a time; else null. */
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

/** A position in a listing of sessions: a cursor or a time; else null. */
export function sessionPlaceOf(text: string): SessionCursor | null {
  const [time = '', upTo, ...session] = text.split('~');
  const ts = timeOf(time);
  if (ts === null) return null;
  if (upTo === undefined) return { ts, session: '', upTo: null };
  return idForm.test(upTo) && session.length > 0
    ? { ts, session: session.join('~'), upTo: Number(upTo) }
    : null;
}

/** A time in the form in which times are stored and compared as text; null for anything but ISO 8601. */
export function timeOf(text: string): string | null {
  if (!/^\d{4}-\d\d(-\d\d|$)/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A whole number that is exact in SQLite and JavaScript. */
const idForm = /^[1-9]\d{0,14}$/;
