import { camelCaseEvents, type Install, namedFolder, restart, seconds, shellLine } from '../form/index.ts';

/** A hooks file of our own in its folder of hooks. */
export const install: Install = {
  title: 'Copilot CLI',
  aliases: ['copilot', 'github-copilot'],
  programs: ['copilot'],
  folder: (env) => namedFolder(env.COPILOT_HOME, '.copilot', env),
  // It reports a failed command with the event for successful ones.
  events: {
    ...camelCaseEvents,
    said: ['userPromptSubmitted', 'agentStop'],
    recall: [{ event: 'postToolUse', matcher: 'bash' }],
  },
  hooks: {
    file: 'hooks/memd.json',
    hasVersion: true,
    value: (hook) => ({
      type: 'command',
      ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
      // A hook that fails before a call denies it: without memd, every tool would be denied.
      bash: hook.event === camelCaseEvents.before ? `${shellLine(hook)} || true` : shellLine(hook),
      timeoutSec: seconds(hook),
    }),
  },
  server: {
    files: ['mcp-config.json'],
    value: (command, args) => ({ type: 'local', command, args, tools: ['*'] }),
  },
  notes: [restart('Copilot CLI'), 'memd writes no hooks into .github/hooks of a repository'],
};
