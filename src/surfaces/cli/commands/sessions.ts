import { jsonText } from '../../../core/event/index.ts';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, wholeNumber } from '../program.ts';
import { read } from '../replies.ts';
import { sessionLines } from '../show-session.ts';

export const sessionsCommand: AddCommand = (program, io) => {
  command(program, 'sessions', 'list sessions, newest first, with what each was about', [
    'mem sessions',
    'mem sessions -n 3 --json',
  ])
    .option('-n, --number <N>', 'how many', wholeNumber(1), 10)
    .option('--json', 'as JSON')
    .action(async (options: { number: number; json?: boolean }) => {
      const reply = await askAwake(workspaceOf(io), io, { op: 'sessions', limit: options.number });
      const { sessions } = read('sessions', reply);
      if (options.json) return io.out(jsonText({ sessions }, 2));
      if (sessions.length === 0)
        return io.note('no sessions yet; `memd backfill` takes in those of the past');
      io.out(sessions.map((session) => sessionLines(session, io)).join('\n\n'));
    });
};
