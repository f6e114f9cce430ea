import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../core/platform/index.ts';
import type { Assistant, ServerPart } from './assistant.ts';
import { readConfig } from './config-file.ts';
import { namedFolder } from './home.ts';
import { plannedHooks } from './hooks.ts';
import { pluginText } from './opencode-plugin.ts';
import { serverName, serverWords } from './servers.ts';

/** Without hooks in its settings: a plugin calls ours. */
export const opencode: Assistant = {
  name: 'opencode',
  title: 'OpenCode',
  aliases: [],
  programs: ['opencode'],
  folder: (env) => path.join(namedFolder(env.XDG_CONFIG_HOME, '.config', env), 'opencode'),
  parts: (setup) => {
    const folder = opencode.folder(setup.env);
    const events = {
      before: 'tool.execute.before',
      after: ['tool.execute.after'],
      said: ['said'],
      sessionStart: 'start',
    };
    const hooks = plannedHooks('opencode', { ...events, pause: [], recall: [] }, setup);
    const server: ServerPart = {
      kind: 'server',
      file: opencodeSettings(folder),
      isLooseAllowed: true,
      under: 'mcp',
      value: { type: 'local', command: serverWords(setup.programs), enabled: true },
    };
    const file = path.join(folder, 'plugins', 'memd.js');
    return [{ kind: 'own-file', file, text: pluginText(hooks) }, server];
  },
  notes: [
    'OpenCode 2 does not load this plugin: its sessions come with `memd backfill` (read by public descriptions, not tested)',
    'OpenCode reads its settings when it starts: restart it',
    'with any plugin, OpenCode downloads a package at its next start. Without a network that takes minutes.',
  ],
};

/** OpenCode reads both names: use the file that mentions memd, else the existing one. */
function opencodeSettings(folder: string): string {
  const files = ['opencode.json', 'opencode.jsonc'].map((name) => path.join(folder, name));
  const own = files.find(mentionsMemd);
  return own ?? files.find((file) => fs.existsSync(file)) ?? path.join(folder, 'opencode.json');
}

function mentionsMemd(file: string): boolean {
  try {
    return readConfig(file).text?.includes(`"${serverName}"`) === true;
  } catch (error) {
    // A folder or a pipe: writing reports it.
    if (error instanceof Failure) return false;
    throw error;
  }
}
