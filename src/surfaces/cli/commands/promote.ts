import { jsonText } from '../../../core/event/index.ts';
import { ask, ensureMemory, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, memoryId } from '../program.ts';
import { memoryOf } from './memories.ts';

export const promoteCommand: AddCommand = (program, io) => {
  command(program, 'promote', 'choose a memory for your team: with sync.share "promoted" only these leave', [
    'mem promote 12',
    'mem promote 12 --note "this is how the release is built"',
  ])
    .argument('<ID>', 'id of the memory', memoryId)
    .option('--note <TEXT>', 'what the others should know about it')
    .action(async (id: number, { note = '', json = false }: { note?: string; json?: boolean }) => {
      const workspace = workspaceOf(io);
      await ensureMemory(workspace, io);
      await memoryOf(id, io);
      await ask(workspace, { op: 'promote', id, note });
      io.out(
        json ? jsonText({ ok: true, id }) : `memory #${id} is chosen for your team; \`memd sync\` sends it`,
      );
    });
};
