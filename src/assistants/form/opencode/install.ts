import path from 'node:path';
import { type Install, namedFolder, restart } from '../install.ts';
import { pluginText } from './plugin.ts';

/** Without hooks in its settings: a plugin calls ours. `name` is that of its program, its folders and its settings. */
export const opencodeInstall = (name: string, title: string, notes: readonly string[]): Install => ({
  title,
  aliases: [],
  programs: [name],
  folder: (env) => path.join(namedFolder(env.XDG_CONFIG_HOME, '.config', env), name),
  isLooseAllowed: true,
  events: {
    before: 'tool.execute.before',
    after: ['tool.execute.after'],
    said: ['said'],
    sessionStart: 'start',
    pause: ['experimental.session.compacting'],
    recall: [],
  },
  hooks: { file: 'plugins/memd.js', text: (hooks) => pluginText(name, hooks) },
  server: {
    files: [`${name}.json`, `${name}.jsonc`],
    under: 'mcp',
    value: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
  },
  notes: [
    ...notes,
    restart(title),
    `with any plugin, ${title} downloads a package at its next start. Without a network that takes minutes.`,
  ],
});
