import path from 'node:path';
import type { Assistant, Setup } from '../assistant.ts';
import { namedFolder } from '../home.ts';
import { type Events, grouped, plannedHooks, shellLine } from '../hooks.ts';
import { serverName, serverWords } from '../servers.ts';

/** Its matchers are regular expressions without "not", so that the boundary is asked before every tool. */
const events: Events = {
  before: 'PreToolUse',
  after: ['PostToolUse'],
  sessionStart: 'SessionStart',
  pause: ['PreCompact', 'SessionEnd'],
  recall: [{ event: 'PostToolUse', matcher: 'Bash' }],
};

/** Claude Code's form of hooks, with one line for the user's shell. Timeouts are in seconds. */
export const codex: Assistant = {
  name: 'codex',
  title: 'Codex',
  aliases: ['codex-cli'],
  programs: ['codex'],
  folder: folderOf,
  parts: (setup: Setup) => {
    const [command, ...args] = serverWords(setup.programs);
    return [
      {
        kind: 'hooks',
        file: path.join(folderOf(setup.env), 'hooks.json'),
        isLooseAllowed: false,
        hooks: plannedHooks('codex', events, setup).map((hook) =>
          grouped(hook, { command: shellLine(hook), timeout: hook.timeoutMs / 1_000 }),
        ),
        hasVersion: false,
      },
      {
        kind: 'toml-server',
        file: path.join(folderOf(setup.env), 'config.toml'),
        table: ['mcp_servers', serverName],
        // Of the environment it hands on a fixed list alone.
        body: [
          `[mcp_servers.${serverName}]`,
          `command = ${JSON.stringify(command)}`,
          `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
          'env_vars = ["MEMD_NS"]',
        ].join('\n'),
      },
    ];
  },
  notes: [
    'Codex runs a hook only when you have looked at it: start codex, type /hooks and trust those of memd (in scripts: --dangerously-bypass-hook-trust)',
  ],
};

function folderOf(env: Setup['env']): string {
  return namedFolder(env.CODEX_HOME, '.codex', env);
}
