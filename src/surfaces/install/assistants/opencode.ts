import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../core/platform/index.ts';
import type { Assistant, Setup } from '../assistant.ts';
import { readConfig } from '../config-file.ts';
import { namedFolder } from '../home.ts';
import { type Events, plannedHooks } from '../hooks.ts';
import { serverName, serverWords } from '../servers.ts';
import { pluginText } from './opencode-plugin.ts';

const events: Events = {
  before: 'tool.execute.before',
  after: ['tool.execute.after'],
  sessionStart: 'start',
  pause: [],
  recall: [],
};

/** No hooks in its settings: a plugin of ours calls them. */
export const opencode: Assistant = {
  name: 'opencode',
  title: 'OpenCode',
  aliases: [],
  programs: ['opencode'],
  folder: folderOf,
  parts: (setup: Setup) => [
    {
      kind: 'own-file',
      file: path.join(folderOf(setup.env), 'plugins', 'memd.js'),
      text: pluginText(plannedHooks('opencode', events, setup)),
    },
    {
      kind: 'server',
      file: settingsOf(folderOf(setup.env)),
      isLooseAllowed: true,
      under: 'mcp',
      value: { type: 'local', command: serverWords(setup.programs), enabled: true },
    },
  ],
  notes: [
    'OpenCode loads plugins when it starts: start it anew',
    'with any plugin OpenCode fetches a package of its own at its next start; without a network that start takes minutes',
  ],
};

function folderOf(env: Setup['env']): string {
  return path.join(namedFolder(env.XDG_CONFIG_HOME, '.config', env), 'opencode');
}

/** OpenCode reads both names: the one that speaks of us, else the one that is there, is the user's. */
function settingsOf(folder: string): string {
  const files = ['opencode.json', 'opencode.jsonc'].map((name) => path.join(folder, name));
  const ours = files.find(speaksOfUs);
  return ours ?? files.find((file) => fs.existsSync(file)) ?? path.join(folder, 'opencode.json');
}

function speaksOfUs(file: string): boolean {
  try {
    return readConfig(file).text?.includes(`"${serverName}"`) === true;
  } catch (error) {
    // A folder, a pipe: what is to be written into it is refused in words.
    if (error instanceof Failure) return false;
    throw error;
  }
}
