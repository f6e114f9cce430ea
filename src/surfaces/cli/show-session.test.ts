import { expect, it } from 'vitest';
import type { Io } from './io.ts';
import type { SessionReply } from './replies.ts';
import { sessionLine, sessionLines } from './show-session.ts';

const io: Io = {
  env: {},
  cwd: '/',
  isTerminal: false,
  showsProgress: false,
  columns: 40,
  out: () => {},
  raw: () => {},
  note: () => {},
  progress: () => {},
  style: (style, text) => (style === 'bold' ? `*${text}*` : text),
};
const session: SessionReply = {
  sessionId: 'session-1',
  client: 'codex',
  events: 1_204,
  messages: 4,
  errors: 1,
  // Shown in local time.
  firstTs: new Date(2026, 1, 11, 16, 5).toISOString(),
  lastTs: new Date(2026, 1, 11, 17, 20).toISOString(),
  title: 'Grind the wheat',
  digest: 'Goal: grind the wheat: all of it, before the wind turns\nEnded: no commit seen',
};

it('shows time, assistant and numbers of calls and messages, and indents the digest', () => {
  expect(sessionLines(session, io).split('\n')).toEqual([
    '2026-02-11 16:05 – 17:20 (1 h 15 min) · codex · 1,200 calls, 4 messages · session session-1',
    '    Goal: grind the wheat: all of it,',
    '      before the wind turns',
    '    Ended: no commit seen',
  ]);
});

it('fits a terminal, with a short id', () => {
  const sessionId = '0d0c0000-0000-4000-8000-00000000000d';
  const lines = sessionLines({ ...session, sessionId }, { ...io, isTerminal: true }).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '2026-02-11 16:05 – 17:20 (1 h 15 min)',
    '    codex · 1,200 calls, 4 messages',
    '    session 0d0c0000',
  ]);
});

it('names the day again where a session went over midnight, and says when there is no digest', () => {
  const lastTs = new Date(2026, 1, 12, 0, 20).toISOString();
  const lines = sessionLines({ ...session, lastTs, errors: 0, digest: null, sessionId: '' }, io).split('\n');
  expect(lines).toEqual([
    '2026-02-11 16:05 – 2026-02-12 00:20 (8 h 15 min) · codex · 1,200 calls, 4 messages · calls without a session',
    '    no digest yet',
  ]);
});

it('says how long the work took where most of the time was pauses', () => {
  const paused = { ...session, workMs: 31 * 60_000 };
  const [heading] = sessionLines(paused, { ...io, isTerminal: true }).split('\n');
  expect(heading).toBe('2026-02-11 16:05 – 17:20 (31 min of work in 1 h 15 min)');
  expect(sessionLine(paused, { ...io, columns: 72 })).toMatch(/^2026-02-11 16:05 {7}31 min {2}Grind/);
});

it('lets nothing stored move the cursor', () => {
  const lines = sessionLines({ ...session, sessionId: 'a\u001b[2J', digest: 'Goal: \u001b[31mred\r' }, io);
  expect(lines).not.toMatch(/[\u001b\r]/);
});

it('shows a session on one line: when, how long, how much, what, and its name, cut at the edge', () => {
  const title = 'Grind the wheat before the wind turns';
  const at = (columns: number) => sessionLine({ ...session, title }, { ...io, columns });
  expect(at(100)).toBe(`2026-02-11 16:05   1 h 15 min  1,200 calls  ${title.padEnd(45)}  session-1`);
  expect(at(72)).toBe('2026-02-11 16:05   1 h 15 min  Grind the wheat before the wi…  session-1');
  expect(at(60)).toBe('2026-02-11 16:05  Grind the wheat before the win…  session-1');
});
