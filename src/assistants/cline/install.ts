import { claudeEvents, type Install, namedFolder, restart } from '../form/index.ts';
import { pluginText } from './plugin.ts';

/** A plugin, because its hook files cannot refuse one call without ending the turn, give no text before the first call, and are not told the prompt. */
export const install: Install = {
  title: 'Cline',
  aliases: [],
  programs: ['cline'],
  folder: (env) => namedFolder(env.CLINE_DIR, '.cline', env),
  events: {
    ...claudeEvents,
    said: ['UserPromptSubmit', 'Stop'],
    pause: ['SessionEnd'],
    recall: [{ event: 'PostToolUseFailure', matcher: 'run_commands' }],
  },
  hooks: { file: 'plugins/memd.js', text: pluginText },
  notes: [restart('Cline')],
};
