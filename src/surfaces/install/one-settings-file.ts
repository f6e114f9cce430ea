import path from 'node:path';
import type { ClientName } from '../../core/event/index.ts';
import type { Part, Setup } from './assistant.ts';
import { type Events, grouped, plannedHooks, shellLine } from './hooks.ts';
import { serverWords } from './servers.ts';

/** Gemini CLI's way, and its descendants': hooks, in groups as Claude Code's, and servers in one `settings.json`; times in milliseconds. */
export function oneSettingsFile(
  client: ClientName,
  folder: string,
  events: Events,
  setup: Setup,
): readonly Part[] {
  const [command, ...args] = serverWords(setup.programs);
  const place = { file: path.join(folder, 'settings.json'), isLooseAllowed: true };
  return [
    {
      kind: 'hooks',
      ...place,
      hooks: plannedHooks(client, events, setup).map((hook) =>
        grouped(hook, { name: `memd-${hook.program}`, command: shellLine(hook), timeout: hook.timeoutMs }),
      ),
      hasVersion: false,
    },
    { kind: 'server', ...place, under: 'mcpServers', value: { command, args } },
  ];
}
