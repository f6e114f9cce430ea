import { quoted } from '#assistants/form';
import { assistants } from '#assistants/table';
import { jsonText } from '#core/event';
import { Failure } from '#core/platform';
import { type AddCommand, command } from '../program.ts';
import { findSession } from '../replies.ts';

export const resumeCommand: AddCommand = (program, io) => {
  command(program, 'resume', "print the assistant's own command that reopens a session", [
    'mem resume last',
    'mem resume 38fb3e7a',
    'eval "$(mem resume last)"',
  ])
    .argument('[SESSION]', 'id of a session, a prefix of one, or last', 'last')
    .action(async (wanted: string, { json }: { json?: boolean }) => {
      const { sessionId, client } = await findSession(wanted, io);
      // An id may come from an imported file.
      const shown = quoted([sessionId.replace(/[\u0000-\u001f\u007f]/g, '')]);
      const line = assistants.find(({ name }) => name === client)?.resume?.(shown) ?? null;
      if (json) return io.out(jsonText({ sessionId, client, command: line }, 2));
      if (line !== null) return io.raw(line);
      throw new Failure('no_command', `${client} has no command that reopens session ${sessionId}`, {
        repair: `read it with \`mem log --session ${sessionId}\``,
      });
    });
};
