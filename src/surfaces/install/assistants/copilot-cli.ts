import path from 'node:path';
import type { Assistant, Setup } from '../assistant.ts';
import { namedFolder } from '../home.ts';
import { type Events, plannedHooks, shellLine } from '../hooks.ts';
import { serverWords } from '../servers.ts';

const events: Events = {
  before: 'preToolUse',
  after: ['postToolUse', 'postToolUseFailure'],
  sessionStart: 'sessionStart',
  pause: ['preCompact', 'sessionEnd'],
  // A command that failed counts as one that was carried out.
  recall: [{ event: 'postToolUse', matcher: 'bash' }],
};

/** A file of hooks of our own beside those of others; timeouts in seconds. */
export const copilotCli: Assistant = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  aliases: ['copilot', 'github-copilot'],
  programs: ['copilot'],
  folder: folderOf,
  parts: (setup: Setup) => {
    const [command, ...args] = serverWords(setup.programs);
    return [
      {
        kind: 'hooks',
        file: path.join(folderOf(setup.env), 'hooks', 'memd.json'),
        isLooseAllowed: false,
        hooks: plannedHooks('copilot-cli', events, setup).map((hook) => {
          // A hook before a call that fails denies the call: without a memd every tool of the assistant would be denied.
          const bash = hook.event === events.before ? `${shellLine(hook)} || true` : shellLine(hook);
          const matcher = hook.matcher === undefined ? {} : { matcher: hook.matcher };
          const value = { type: 'command', ...matcher, bash, timeoutSec: hook.timeoutMs / 1_000 };
          return { event: hook.event, value };
        }),
        hasVersion: true,
      },
      {
        kind: 'server',
        file: path.join(folderOf(setup.env), 'mcp-config.json'),
        isLooseAllowed: false,
        under: 'mcpServers',
        value: { type: 'local', command, args, tools: ['*'] },
      },
    ];
  },
  notes: [
    'Copilot CLI loads hooks when it starts: start it anew',
    'the hooks are yours alone: nothing stands in .github/hooks of a repository',
  ],
};

function folderOf(env: Setup['env']): string {
  return namedFolder(env.COPILOT_HOME, '.copilot', env);
}
