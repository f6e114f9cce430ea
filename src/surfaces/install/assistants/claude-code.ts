import path from 'node:path';
import type { Assistant, Setup } from '../assistant.ts';
import { namedFolder } from '../home.ts';
import { type Events, grouped, plannedHooks } from '../hooks.ts';
import { serverWords } from '../servers.ts';

const events: Events = {
  before: 'PreToolUse',
  after: ['PostToolUse', 'PostToolUseFailure'],
  sessionStart: 'SessionStart',
  pause: ['PreCompact', 'SessionEnd'],
  allButReading: '^(?!(?:Read|Glob|Grep|LS|WebFetch|WebSearch|TodoWrite|mcp__memd__mem_[a-z]+)$)',
  recall: [{ event: 'PostToolUseFailure', matcher: 'Bash' }],
};

/** Hooks in exec form: no shell. Timeouts are in seconds. The servers of a user stand in another file than the hooks. */
export const claudeCode: Assistant = {
  name: 'claude-code',
  title: 'Claude Code',
  aliases: ['claude'],
  programs: ['claude'],
  folder: folderOf,
  parts: (setup: Setup) => {
    const [command, ...args] = serverWords(setup.programs);
    const hooks = plannedHooks('claude-code', events, setup).map((hook) => {
      const [node, ...words] = hook.words;
      return grouped(hook, { command: node, args: words, timeout: hook.timeoutMs / 1_000 });
    });
    return [
      {
        kind: 'hooks',
        file: path.join(folderOf(setup.env), 'settings.json'),
        isLooseAllowed: false,
        hooks,
        hasVersion: false,
      },
      {
        kind: 'server',
        file: path.join(namedFolder(setup.env.CLAUDE_CONFIG_DIR, '', setup.env), '.claude.json'),
        isLooseAllowed: false,
        under: 'mcpServers',
        value: { type: 'stdio', command, args },
      },
    ];
  },
  notes: [
    'end running sessions of Claude Code first, or start it anew: it writes its own file while it runs',
  ],
};

function folderOf(env: Setup['env']): string {
  return namedFolder(env.CLAUDE_CONFIG_DIR, '.claude', env);
}
