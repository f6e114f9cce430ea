import { jsonText } from '#core/event';
import { type AddCommand, command, countOption } from '../program.ts';
import { answer } from '../replies.ts';
import { sessionLine, sessionLines } from '../show-session.ts';

export const sessionsCommand: AddCommand = (program, io) => {
  const added = command(program, 'sessions', 'list sessions, newest first', [
    'mem sessions',
    'mem sessions --long -k 3',
  ]);
  countOption(added, 'number of sessions', { fallback: 10 })
    .option('--long', 'each with its digest; always so in a pipe')
    .action(async ({ number: limit, long, json }: { number: number; long?: boolean; json?: boolean }) => {
      const { sessions } = await answer('sessions', { limit }, io);
      if (json) return io.out(jsonText({ sessions }, 2));
      if (sessions.length === 0)
        return io.note('no sessions yet. To import earlier ones, run `memd backfill`.');
      const [lines, gap] =
        long || !io.isTerminal ? ([sessionLines, '\n\n'] as const) : ([sessionLine, '\n'] as const);
      io.out(sessions.map((session) => lines(session, io)).join(gap));
      if (io.isTerminal && sessions.length === limit)
        io.out(io.style('dim', `More: mem sessions -k ${limit * 4}`));
    });
};
