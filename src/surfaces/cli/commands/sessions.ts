import { jsonText } from '../../../core/event/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, countOption } from '../program.ts';
import { read } from '../replies.ts';
import { sessionLine, sessionLines } from '../show-session.ts';

export const sessionsCommand: AddCommand = (program, io) => {
  const added = command(program, 'sessions', 'list sessions, newest first', [
    'mem sessions',
    'mem sessions --long -k 3',
  ]);
  countOption(added, 'number of sessions', { fallback: 10 })
    .option('--long', 'each with its digest; always so in a pipe')
    .action(async ({ number: limit, long, json }: { number: number; long?: boolean; json?: boolean }) => {
      const { sessions } = read('sessions', await askAwake(workspaceOf(io), io, { op: 'sessions', limit }));
      if (json) return io.out(jsonText({ sessions }, 2));
      if (sessions.length === 0)
        return io.note('no sessions yet. To import earlier ones, run `memd backfill`.');
      if (long || !io.isTerminal)
        return io.out(sessions.map((session) => sessionLines(session, io)).join('\n\n'));
      io.out(sessions.map((session) => sessionLine(session, io)).join('\n'));
    });
};
