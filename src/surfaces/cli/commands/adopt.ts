import path from 'node:path';
import { jsonText } from '#core/event';
import { realOrSame } from '#core/platform';
import { homeOf, layout } from '#core/workspace';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command } from '../program.ts';

export const adoptCommand: AddCommand = (program, io) => {
  command(program, 'adopt', 'give this project the memory of another path', [
    'memd adopt ~/old/place',
    'memd adopt --copy ~/the/original',
  ])
    .argument('<PATH>', 'the folder whose memory it is; it need not exist')
    .option('--copy', 'leave the memory there, and work on a copy')
    .action(async (given: string, { copy = false, json }: { copy?: boolean; json?: boolean }) => {
      const { adoptByHand } = await import('#service/adopt');
      const to = workspaceOf(io);
      const from = layout(homeOf(io.env), to.namespace, realOrSame(path.resolve(io.cwd, given)));
      await adoptByHand(from, to, copy);
      const { pid } = await ensureDaemon(to, io);
      if (json) return io.out(jsonText({ ok: true, from: from.root, to: to.root, copy, pid }));
      io.out(
        copy
          ? `This project has a copy of the memory of ${from.root}.`
          : `The memory of ${from.root} is now the memory of this project.`,
      );
    });
};
