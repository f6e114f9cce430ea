import { claudeEvents, grouped, type Install, namedFolder, seconds } from '../form/index.ts';

/** Hooks run without a shell. Servers are in another file than hooks. */
export const install: Install = {
  title: 'Claude Code',
  aliases: ['claude'],
  programs: ['claude'],
  folder: (env) => namedFolder(env.CLAUDE_CONFIG_DIR, '.claude', env),
  events: {
    ...claudeEvents,
    allButReading: '^(?!(?:Read|Glob|Grep|LS|WebFetch|WebSearch|TodoWrite|mcp__memd__mem_[a-z]+)$)',
    recall: [{ event: 'PostToolUseFailure', matcher: 'Bash' }],
  },
  hooks: {
    file: 'settings.json',
    value: (hook) => {
      const [command, ...args] = hook.words;
      return grouped(hook, { command, args, timeout: seconds(hook) });
    },
  },
  server: {
    files: ['.claude.json'],
    folder: (env) => namedFolder(env.CLAUDE_CONFIG_DIR, '', env),
    value: (command, args) => ({ type: 'stdio', command, args }),
  },
  notes: ['end or restart running sessions of Claude Code: they may overwrite its settings'],
};
