import { jsonText } from '../../../core/event/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { read } from '../replies.ts';
import { sessionLines } from '../show-session.ts';

export const sessionsCommand: AddCommand = (program, io) => {
  command(program, 'sessions', 'list sessions with their digests, newest first', [
    'mem sessions',
    'mem sessions -n 3 --json',
  ])
    .option('-n, --number <N>', 'number of sessions', wholeNumber(1), 10)
    .action(async ({ number: limit, json }: { number: number; json?: boolean }) => {
      const { sessions } = read('sessions', await askAwake(workspaceOf(io), io, { op: 'sessions', limit }));
      if (json) return io.out(jsonText({ sessions }, 2));
      if (sessions.length === 0)
        return io.note('no sessions yet. To import earlier ones, run `memd backfill`.');
      io.out(sessions.map((session) => sessionLines(session, io)).join('\n\n'));
    });
};
