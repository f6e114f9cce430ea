import { jsonText } from '#core/event';
import { shortSession, whatWords } from '#core/rpc';
import type { Io } from '../io.ts';
import { page } from '../pager.ts';
import { type AddCommand, command, memoryId } from '../program.ts';
import { answer, type DetailReply, findSession } from '../replies.ts';
import { messageLines, stateWords, wholeHeading } from '../show.ts';
import { callLines } from '../show-call.ts';
import { logLine } from '../show-log.ts';
import { sessionLines } from '../show-session.ts';
import { fitted, printable } from '../words.ts';
import { memoryOf } from './memories.ts';

interface ShowOptions {
  readonly oneline?: boolean;
  readonly full?: boolean;
  readonly pager?: boolean;
  readonly json?: boolean;
}

export const showCommand: AddCommand = (program, io) => {
  command(
    program,
    'show',
    'show a memory: an edit as a diff, a command with its output, a message, a session',
    ['mem show 12', 'mem show 12 --full', 'mem show 38fb3e7a', 'mem show 12 --json'],
  )
    .argument('<ID>', 'id of the memory, or of a session, a prefix of one, or last')
    .option('--oneline', 'one line; of a session: `mem log --oneline`')
    .option('--full', 'do not fold long output and long diffs')
    .option('--no-pager', 'print directly, also on a terminal')
    .action(async (given: string, options: ShowOptions) => {
      // The short names of sessions have eight characters, which may all be digits.
      if (!/^(?:#\d+|\d{1,7})$/.test(given)) return showSession(given, options, io);
      const id = memoryId(given);
      const summary = await memoryOf(id, io);
      if (options.json) return io.out(jsonText(summary, 2));
      if (options.oneline) return io.out(logLine(summary, io));
      if (summary.kind === 'session') return showSession(summary.sessionId, options, io);
      const body =
        summary.kind === 'message'
          ? messageLines(summary, io)
          : `${wholeHeading(summary, whatWords(summary), io)}\n\n${callLines(id, summary.payload, options.full === true, io)}`;
      const edges = summary.edges.map(({ from, to, kind, evidence }) =>
        io.style('yellow', fitted(printable(`#${from} ${kind} #${to}: ${evidence}`), io)),
      );
      // Most memories are of no file: that says nothing.
      const { state } = summary;
      const stands = state == null || state.verdict === 'unknown' ? [] : [stateWords(state, io)];
      page([body, ...stands, ...edges, '', await aroundLines(summary, io)].join('\n'), io, options);
    });
};

/** By its name a session is found also before it has a digest. */
async function showSession(given: string, options: ShowOptions, io: Io): Promise<void> {
  const session = await findSession(given, io);
  if (options.json) return io.out(jsonText(session, 2));
  const more = `What happened in it: mem log ${shortSession(session.sessionId)}`;
  page([sessionLines(session, io), '', io.style('dim', printable(more))].join('\n'), io, options);
}

/** The memories just before and after it in its session, one line each. */
async function aroundLines({ id, sessionId }: DetailReply, io: Io): Promise<string> {
  const { before, after } = await answer('timeline', { id, window: 1 }, io);
  // A line begins with two spaces, in whose place the word is.
  const narrower = { ...io, columns: io.columns - 'before'.length };
  const lines = [
    ...before.slice(-1).map((one) => `${io.style('dim', 'before')}${logLine(one, narrower)}`),
    ...after.slice(0, 1).map((one) => `${io.style('dim', 'after ')}${logLine(one, narrower)}`),
  ];
  const log = sessionId === '' ? '' : `, mem log ${shortSession(sessionId)}`;
  return [...lines, io.style('dim', printable(`More: mem timeline ${id}${log}`))].join('\n');
}
