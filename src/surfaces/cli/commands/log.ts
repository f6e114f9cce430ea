import { jsonText } from '../../../core/event/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { page } from '../pager.ts';
import { type AddCommand, command } from '../program.ts';
import { read, type SummaryReply } from '../replies.ts';
import { findSession } from '../session-id.ts';
import { logLine, saidLines } from '../show-log.ts';
import { sessionLines } from '../show-session.ts';

const pageEvents = 500;

interface LogOptions {
  readonly session: string;
  readonly oneline?: boolean;
  readonly full?: boolean;
  readonly pager?: boolean;
  readonly json?: boolean;
}

export const logCommand: AddCommand = (program, io) => {
  command(program, 'log', 'print a session from its first request to its outcome', [
    'mem log',
    'mem log --session 38fb3e7a --full',
    'mem log --oneline',
  ])
    .option('--session <ID>', 'id of a session, a prefix of one, or last', 'last')
    .option('--oneline', 'one line for each call and message')
    .option('--full', 'messages as a whole')
    .option('--no-pager', 'print directly, also on a terminal')
    .action(async (options: LogOptions) => {
      const session = await findSession(options.session, io);
      const summaries = await eventsOf(session.sessionId, io);
      const events = options.full === true ? await withWholeTexts(summaries, io) : summaries;
      if (options.json) return io.out(jsonText({ session, summaries: events }, 2));
      const body = events.map((one) =>
        options.oneline === true || one.kind !== 'message'
          ? logLine(one, io)
          : saidLines(one, options.full === true, io),
      );
      page([sessionLines(session, io), '', ...body].join('\n'), io, options);
    });
};

/** Oldest first. */
async function eventsOf(session: string, io: Io): Promise<SummaryReply[]> {
  const found: SummaryReply[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const request = { op: 'recent', session, limit: pageEvents, ...(before !== undefined && { before }) };
    const { summaries } = read('recent', await askAwake(workspaceOf(io), io, request));
    found.push(...summaries.filter(({ kind }) => kind !== 'session'));
    if (summaries.length < pageEvents) return found.reverse();
  }
}

/** A list has the gist of a message; its own words are read separately. */
async function withWholeTexts(events: readonly SummaryReply[], io: Io): Promise<SummaryReply[]> {
  const ids = events.filter(({ kind }) => kind === 'message').map(({ id }) => id);
  const texts = new Map<number, string>();
  for (let at = 0; at < ids.length; at += pageEvents) {
    const request = { op: 'get', ids: ids.slice(at, at + pageEvents) };
    const { summaries } = read('get', await askAwake(workspaceOf(io), io, request));
    for (const { id, text } of summaries) texts.set(id, text);
  }
  return events.map((one) => ({ ...one, text: texts.get(one.id) ?? one.text }));
}
