import { type Fact, fromFact, headingOf, type Io } from './io.ts';
import type { SessionHitReply, SessionReply } from './replies.ts';
import { ago, dateWords, duration, plural, printable, shortSession, whatWords, wrap } from './words.ts';

/** A heading line and the digest. */
export function sessionLines(session: SessionReply, io: Io): string {
  const { sessionId, client, events, messages, errors, firstTs, lastTs, digest, startedBy, continues } =
    session;
  const name = sessionId === '' ? 'calls without a session' : sessionName(sessionId, io);
  const heading: Fact[] = [
    [span(firstTs, lastTs), 'cyan'],
    [printable(client), 'cyan'],
    [countWords(events, messages), 'cyan'],
    errors === 0 ? null : [plural(errors, 'error'), 'yellow'],
    [name, 'dim'],
    startedBy === undefined ? null : [`started by ${sessionName(startedBy, io)}`, 'dim'],
    continues === undefined ? null : [`continues ${sessionName(continues, io)}`, 'dim'],
    fromFact(session),
  ];
  const body = digest === null ? io.style('dim', '    no digest yet') : digestLines(digest, io);
  return `${headingOf('', heading, io)}\n${body}`;
}

/** A session that a search found: when, what it was for, and its best moments. */
export function sessionHitsLines(session: SessionHitReply, io: Io): string {
  const { rank, sessionId, firstTs, lastTs, digest, moments } = session;
  const heading: Fact[] = [
    [span(firstTs, lastTs), 'cyan'],
    [sessionName(sessionId, io), 'dim'],
    fromFact(session),
  ];
  const [first = ''] = digest === null ? [] : printable(digest).split('\n');
  return [
    headingOf(io.style('bold', `${String(rank).padStart(2)}  `), heading, io),
    ...(first === '' ? [] : [digestLines(first, io)]),
    ...moments.map((hit) => {
      const facts = [`#${hit.id}`, whatWords(hit), ago(hit.ts, Date.now())].join(' · ');
      const words = wrap(`${facts}: ${printable(hit.text)}`, io.columns, '        ');
      return `      - ${words.trimStart()}`;
    }),
  ].join('\n');
}

/** Short for a person; whole for a script. */
function sessionName(id: string, io: Io): string {
  return `session ${io.isTerminal ? shortSession(id) : printable(id)}`;
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
  const end = dateWords(first) === dateWords(last) ? timeOf(last) : `${dateWords(last)} ${timeOf(last)}`;
  return `${dateWords(first)} ${timeOf(first)} – ${end} (${took})`;
}

function timeOf(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
