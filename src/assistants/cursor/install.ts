import path from 'node:path';
import { homeOf } from '#core/workspace';
import { camelCaseEvents, type Install, seconds, shellLine } from '../form/index.ts';

/** Only the events for all tools: those for one kind of tool repeat the same calls. */
export const install: Install = {
  title: 'Cursor',
  aliases: [],
  programs: ['cursor', 'cursor-agent'],
  folder: (env) => path.join(homeOf(env), '.cursor'),
  isLooseAllowed: true,
  events: { ...camelCaseEvents, said: ['beforeSubmitPrompt', 'afterAgentResponse'], recall: [] },
  hooks: {
    file: 'hooks.json',
    hasVersion: true,
    value: (hook) => ({ command: shellLine(hook), timeout: seconds(hook) }),
  },
  server: { files: ['mcp.json'], value: (command, args) => ({ type: 'stdio', command, args }) },
  notes: [
    'check that the pages Hooks and MCP of its settings list memd (not tested with Cursor itself)',
    'with third-party hooks enabled, it also runs those of Claude Code: install memd in one of them, or calls are stored twice',
  ],
};
