import { jsonText } from '../../../core/event/index.ts';
import { Failure } from '../../../core/platform/index.ts';
import { type AddCommand, command } from '../program.ts';
import { findSession } from '../session-id.ts';

/** How each assistant's own command line reopens a session. */
const commands: Readonly<Record<string, (id: string) => string>> = {
  'claude-code': (id) => `claude --resume ${id}`,
  codex: (id) => `codex resume ${id}`,
  'gemini-cli': (id) => `gemini --resume ${id}`,
  'qwen-code': (id) => `qwen --resume ${id}`,
  'copilot-cli': (id) => `copilot --resume ${id}`,
  opencode: (id) => `opencode --session ${id}`,
};

export const resumeCommand: AddCommand = (program, io) => {
  command(program, 'resume', "print the assistant's own command that reopens a session", [
    'mem resume last',
    'mem resume 38fb3e7a',
    'eval "$(mem resume last)"',
  ])
    .argument('[SESSION]', 'id of a session, a prefix of one, or last', 'last')
    .action(async (wanted: string, { json }: { json?: boolean }) => {
      const { sessionId, client } = await findSession(wanted, io);
      const line = commands[client]?.(quoted(sessionId)) ?? null;
      if (json) return io.out(jsonText({ sessionId, client, command: line }, 2));
      if (line !== null) return io.out(line);
      throw new Failure('no_command', `${client} has no command that reopens session ${sessionId}`, {
        repair: `read it with \`mem log --session ${sessionId}\``,
      });
    });
};

/** For a shell: an id may come from an imported file. */
function quoted(id: string): string {
  return /^[A-Za-z0-9_][\w.:-]*$/.test(id)
    ? id
    : `'${id.replace(/[\u0000-\u001f\u007f]/g, '').replaceAll("'", "'\\''")}'`;
}
