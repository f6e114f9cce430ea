import { jsonText } from '#core/event';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command } from '../program.ts';
import { printable } from '../words.ts';

export const focusCommand: AddCommand = (program, io) => {
  command(program, 'focus', 'show or set what you are working on', [
    'memd focus',
    'memd focus "the login bug"',
    'memd focus --clear',
  ])
    .argument('[TEXT]', 'the new focus')
    .option('--clear', 'remove the focus')
    .action(async (text: string | undefined, options: { clear?: boolean; json?: boolean }) => {
      const change = options.clear ? { text: null } : text === undefined ? {} : { text };
      const { focus } = await askAwake(workspaceOf(io), io, { op: 'focus', ...change });
      if (options.json) return io.out(jsonText({ ok: true, focus: focus ?? null }));
      const none = 'No focus is set. To set one, run `memd focus TEXT`.';
      io.out(typeof focus === 'string' ? printable(focus) : none);
    });
};
