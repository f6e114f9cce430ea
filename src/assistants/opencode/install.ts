import path from 'node:path';
import { type Install, namedFolder, restart } from '../form/index.ts';
import { pluginText } from './plugin.ts';

/** Without hooks in its settings: a plugin calls ours. */
export const install: Install = {
  title: 'OpenCode',
  aliases: [],
  programs: ['opencode'],
  folder: (env) => path.join(namedFolder(env.XDG_CONFIG_HOME, '.config', env), 'opencode'),
  isLooseAllowed: true,
  events: {
    before: 'tool.execute.before',
    after: ['tool.execute.after'],
    said: ['said'],
    sessionStart: 'start',
    pause: [],
    recall: [],
  },
  hooks: { file: 'plugins/memd.js', text: pluginText },
  server: {
    files: ['opencode.json', 'opencode.jsonc'],
    under: 'mcp',
    value: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
  },
  notes: [
    'OpenCode 2 does not load this plugin: its sessions come with `memd backfill` (read by public descriptions, not tested)',
    restart('OpenCode'),
    'with any plugin, OpenCode downloads a package at its next start. Without a network that takes minutes.',
  ],
};
