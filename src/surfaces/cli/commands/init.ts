import { initConfig } from '#core/config';
import { jsonText } from '#core/event';
import { ensureFolders } from '#core/workspace';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';
import { inHome } from '../words.ts';

export const initCommand: AddCommand = (program, io) => {
  command(program, 'init', 'write config.json; it allows the builtin summariser when no model answers', [
    'memd init',
  ]).action(({ json = false }: { json?: boolean }) => init(json, io));
};

/** Always prints what it did: memd never starts to use a summariser silently. */
export function init(json: boolean, io: Io): void {
  const workspace = workspaceOf(io);
  ensureFolders(workspace);
  const { written, fallback } = initConfig(workspace.config);
  const lines = written
    ? [
        `Wrote ${workspace.config} with drain.fallback: "builtin".`,
        'When no local model answers and there is no key for a hosted one, memd uses its builtin summariser (no model, no network). It uses a model as soon as one is available.',
      ]
    : [`${workspace.config} exists and was not changed (drain.fallback: "${fallback}").`];
  const result = { ok: true, config: workspace.config, written, fallback };
  io.out(json ? jsonText(result) : inHome(lines.join('\n'), io));
}
