import { initConfig } from '../../../core/config/index.ts';
import { jsonText } from '../../../core/event/index.ts';
import { ensureFolders } from '../../../core/workspace/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';

export const initCommand: AddCommand = (program, io) => {
  command(program, 'init', 'write a first config.json: the builtin summariser where no model answers', [
    'memd init',
  ])
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) => {
      if (!json) return init(io);
      const workspace = workspaceOf(io);
      ensureFolders(workspace);
      const result = initConfig(workspace.config);
      io.out(jsonText({ ok: true, config: workspace.config, ...result }));
    });
};

/** Says what it did in every case: no summariser is ever put in force silently. */
export function init(io: Io): void {
  const workspace = workspaceOf(io);
  ensureFolders(workspace);
  const { written, fallback } = initConfig(workspace.config);
  if (written) {
    io.out(`wrote ${workspace.config}`);
    io.out(
      'drain.fallback is "builtin": where neither a local model nor a hosted key is there, the embedded',
    );
    io.out('summariser is used (no model, no network). A model that comes up later is used from then on.');
  } else {
    io.out(`${workspace.config} is there already and was left as it is (drain.fallback is "${fallback}")`);
  }
}
