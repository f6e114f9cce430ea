import type { Io } from './io.ts';
import type { SessionReply } from './replies.ts';
import { duration, plural, printable, wrap } from './words.ts';

/** A heading line and the digest. */
export function sessionLines(session: SessionReply, io: Io): string {
  const { sessionId, client, events, messages, errors, firstTs, lastTs, digest } = session;
  const name = sessionId === '' ? 'calls without a session' : `session ${printable(sessionId)}`;
  const failed = errors === 0 ? '' : io.style('yellow', ` · ${plural(errors, 'error')}`);
  const heading = io.style(
    'cyan',
    `${span(firstTs, lastTs)} · ${printable(client)} · ${countWords(events, messages)}`,
  );
  const body = digest === null ? io.style('dim', '    no digest yet') : digestLines(digest, io);
  return `${heading}${failed}${io.style('dim', ` · ${name}`)}\n${body}`;
}

/** `36 calls, 4 messages` */
function countWords(events: number, messages: number): string {
  const calls = plural(events - messages, 'call');
  return messages === 0 ? calls : `${calls}, ${plural(messages, 'message')}`;
}

/** A digest, its labels bold. */
export function digestLines(digest: string, io: Io): string {
  const lines = printable(digest).split('\n');
  return lines
    .map((line) => {
      const hanging = wrap(line, io.columns, '      ').slice('  '.length);
      // Only a digest's own labels: a text may hold a colon too.
      return hanging.replace(/^( {4})([A-Z][a-z ]{2,10}:)/, (_, margin: string, label: string) => {
        return `${margin}${io.style('bold', label)}`;
      });
    })
    .join('\n');
}

/** In local time: `2026-02-11 16:05 – 17:20 (1 h 15 min)`. */
function span(firstTs: string, lastTs: string): string {
  const [first, last] = [new Date(firstTs), new Date(lastTs)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime())) {
    return printable(firstTs === lastTs ? firstTs : `${firstTs} – ${lastTs}`);
  }
  const took = duration((last.getTime() - first.getTime()) / 1000);
  const end = dayOf(first) === dayOf(last) ? timeOf(last) : `${dayOf(last)} ${timeOf(last)}`;
  return `${dayOf(first)} ${timeOf(first)} – ${end} (${took})`;
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
