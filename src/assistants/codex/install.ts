import { claudeEvents, grouped, type Install, namedFolder, seconds, shellLine } from '../form/index.ts';

export const install: Install = {
  title: 'Codex',
  aliases: ['codex-cli'],
  programs: ['codex'],
  folder: (env) => namedFolder(env.CODEX_HOME, '.codex', env),
  // Its matchers cannot say "all but these", so the boundary runs before every tool.
  events: {
    ...claudeEvents,
    after: ['PostToolUse'],
    said: ['UserPromptSubmit', 'Stop', 'SubagentStop', 'PostCompact'],
    recall: [{ event: 'PostToolUse', matcher: 'Bash' }],
  },
  hooks: {
    file: 'hooks.json',
    value: (hook) => grouped(hook, { command: shellLine(hook), timeout: seconds(hook) }),
  },
  server: {
    files: ['config.toml'],
    under: 'mcp_servers',
    // Codex passes only listed environment variables to a server.
    value: (command, args) => ({ command, args, env_vars: ['MEMD_NS'] }),
  },
  notes: [
    'Codex runs only trusted hooks: start codex, type /hooks and trust those of memd (in scripts: --dangerously-bypass-hook-trust)',
  ],
};
