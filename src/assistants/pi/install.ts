import { claudeEvents, type Install, namedFolder } from '../form/index.ts';
import { extensionText } from './extension.ts';

/** Its extension calls our hooks in Claude Code's form. */
export const install: Install = {
  title: 'Pi',
  aliases: [],
  programs: ['pi'],
  folder: (env) => namedFolder(env.PI_CODING_AGENT_DIR, '.pi/agent', env),
  events: {
    ...claudeEvents,
    said: ['UserPromptSubmit', 'Stop', 'PostCompact'],
    recall: [{ event: 'PostToolUseFailure', matcher: 'bash' }],
  },
  hooks: { file: 'extensions/memd.js', text: extensionText },
  notes: ['Pi loads its extensions when it starts: restart it, or type /reload'],
};
