import path from 'node:path';
import { homeOf } from '../../../core/workspace/index.ts';
import type { Assistant, Setup } from '../assistant.ts';
import { type Events, plannedHooks, shellLine } from '../hooks.ts';
import { serverWords } from '../servers.ts';

/** The events of all tools. Those of one kind of tool (`afterShellExecution`, ...) tell the same calls a second time. */
const events: Events = {
  before: 'preToolUse',
  after: ['postToolUse', 'postToolUseFailure'],
  sessionStart: 'sessionStart',
  pause: ['preCompact', 'sessionEnd'],
  recall: [],
};

/** Flat lists of hooks, each one line for a shell; timeouts in seconds. */
export const cursor: Assistant = {
  name: 'cursor',
  title: 'Cursor',
  aliases: [],
  programs: ['cursor', 'cursor-agent'],
  folder: folderOf,
  parts: (setup: Setup) => {
    const [command, ...args] = serverWords(setup.programs);
    return [
      {
        kind: 'hooks',
        file: path.join(folderOf(setup.env), 'hooks.json'),
        isLooseAllowed: true,
        hooks: plannedHooks('cursor', events, setup).map((hook) => ({
          event: hook.event,
          value: { command: shellLine(hook), timeout: hook.timeoutMs / 1_000 },
        })),
        hasVersion: true,
      },
      {
        kind: 'server',
        file: path.join(folderOf(setup.env), 'mcp.json'),
        isLooseAllowed: true,
        under: 'mcpServers',
        value: { type: 'stdio', command, args },
      },
    ];
  },
  notes: [
    'look at the Hooks and MCP pages of its settings: both should list memd (known from its documentation alone)',
    'with its setting for third-party hooks on, it runs those in Claude Code too: install memd in one of them, or calls are kept twice',
  ],
};

function folderOf(env: Setup['env']): string {
  return path.join(homeOf(env), '.cursor');
}
