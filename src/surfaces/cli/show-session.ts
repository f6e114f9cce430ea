import { workApart } from '#core/event';
import { shortSession, whatWords } from '#core/rpc';
import { clipped } from '#core/text';
import { type Fact, fromFact, headingOf, type Io } from './io.ts';
import type { SessionHitReply, SessionReply } from './replies.ts';
import { ago, dateWords, duration, inLine, plural, printable, timeOf, wrap } from './words.ts';

/** A heading line and the digest. */
export function sessionLines(session: SessionReply, io: Io): string {
  const { sessionId, client, events, messages, errors, digest, startedBy, continues } = session;
  const name = sessionId === '' ? 'calls without a session' : sessionName(sessionId, io);
  const heading: Fact[] = [
    [span(session), 'cyan'],
    [inLine(client), 'cyan'],
    [countWords(events, messages), 'cyan'],
    // A digest says which checks and calls failed, also those without the assistant's mark of an error.
    errors === 0 || digest !== null ? null : [plural(errors, 'error'), 'yellow'],
    [name, 'dim'],
    startedBy === undefined ? null : [`started by ${sessionName(startedBy, io)}`, 'dim'],
    continues === undefined ? null : [`continues ${sessionName(continues, io)}`, 'dim'],
    fromFact(session),
  ];
  const body = digest === null ? io.style('dim', '    no digest yet') : digestLines(digest, io);
  return `${headingOf('', heading, io)}\n${body}`;
}

/** `2026-02-11 16:05   1 h 15 min     36 calls  Drop Redis ...  5410fb12`: when, and where there is room how long it worked and how many calls; cut at the edge. */
export function sessionLine(session: SessionReply, io: Io): string {
  const { sessionId, firstTs, lastTs, workMs, events, messages, title } = session;
  const first = new Date(firstTs);
  const wallMs = Date.parse(lastTs) - first.getTime();
  const took = duration((workApart(workMs, wallMs) ?? wallMs) / 1000);
  const calls = io.columns < callsColumnsMin ? '' : `${plural(events - messages, 'call').padStart(11)}  `;
  const amount = io.columns < amountColumnsMin ? '' : `${took.padStart(11)}  ${calls}`;
  const lead = `${dateWords(first)} ${timeOf(firstTs)}  ${amount}`;
  const from = session.author === undefined ? '' : `from ${inLine(session.author)}: `;
  const name = inLine(shortSession(sessionId));
  const room = Math.max(16, io.columns - lead.length - name.length - 2);
  const words = clipped(from + inLine(title || 'without a title'), room);
  return `${io.style('cyan', lead)}${words.padEnd(room)}  ${io.style('dim', name)}`;
}

/** In a narrower terminal the title needs the room. */
const amountColumnsMin = 72;
const callsColumnsMin = 100;

/** A session that a search found: when, what it was for, and its best moments. */
export function sessionHitsLines(session: SessionHitReply, io: Io): string {
  const { rank, sessionId, title, moments } = session;
  const heading: Fact[] = [[span(session), 'cyan'], [sessionName(sessionId, io), 'dim'], fromFact(session)];
  return [
    headingOf(io.style('bold', `${String(rank).padStart(2)}  `), heading, io),
    ...(title === '' ? [] : [digestLines(title, io)]),
    ...moments.map((hit) => {
      const facts = [`#${hit.id}`, whatWords(hit), ago(hit.ts, Date.now())].join(' · ');
      const words = wrap(`${inLine(facts)}: ${printable(hit.passage ?? hit.text)}`, io.columns, '        ');
      return `      - ${words.trimStart()}`;
    }),
  ].join('\n');
}

/** Short for a person; whole for a script. */
function sessionName(id: string, io: Io): string {
  return `session ${inLine(io.isTerminal ? shortSession(id) : id)}`;
}

/** `36 calls, 4 messages` */
function countWords(events: number, messages: number): string {
  const calls = plural(events - messages, 'call');
  return messages === 0 ? calls : `${calls}, ${plural(messages, 'message')}`;
}

/** The lines of a digest, each with its continuation set in. */
export function digestLines(digest: string, io: Io): string {
  const lines = printable(digest).split('\n');
  return lines.map((line) => wrap(line, io.columns, '      ').slice('  '.length)).join('\n');
}

/** In local time: `2026-02-11 16:05 – 17:20 (1 h 15 min)`, `(31 min of work in 1 h 15 min)`. */
function span({
  firstTs,
  lastTs,
  workMs,
}: Pick<SessionReply | SessionHitReply, 'firstTs' | 'lastTs' | 'workMs'>): string {
  const [first, last] = [new Date(firstTs), new Date(lastTs)];
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime()))
    return printable(firstTs === lastTs ? firstTs : `${firstTs} – ${lastTs}`);
  const wallMs = last.getTime() - first.getTime();
  const work = workApart(workMs, wallMs);
  const took = (work === null ? '' : `${duration(work / 1000)} of work in `) + duration(wallMs / 1000);
  const end = dateWords(first) === dateWords(last) ? timeOf(lastTs) : `${dateWords(last)} ${timeOf(lastTs)}`;
  return `${dateWords(first)} ${timeOf(firstTs)} – ${end} (${took})`;
}
