import { ask, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command } from '../program.ts';

export const focusCommand: AddCommand = (program, io) => {
  command(program, 'focus', 'show or set what you are working on', [
    'memd focus',
    'memd focus "the login bug"',
    'memd focus --clear',
  ])
    .argument('[TEXT]', 'the new focus')
    .option('--clear', 'have none')
    .action(async (text: string | undefined, options: { clear?: boolean }) => {
      const change = options.clear ? { text: null } : text === undefined ? {} : { text };
      const { focus } = await ask(workspaceOf(io), { op: 'focus', ...change });
      io.out(typeof focus === 'string' ? focus : 'no focus is set');
    });
};
