import { own, stringAt } from '#core/event';
import { type Before, planned } from '../form/index.ts';

export const before: Before = {
  read(payload) {
    switch (stringAt(payload, 'hook_event_name') ?? '') {
      case 'beforeShellExecution':
        return planned(payload, 'Shell', { command: own(payload, 'command') ?? '' });
      case 'beforeMCPExecution':
      case 'preToolUse':
        return planned(payload, stringAt(payload, 'tool_name') ?? 'unknown', own(payload, 'tool_input'));
      default:
        return null;
    }
  },
  // Both spellings are in use (camelCase in the first versions with hooks).
  deny: (reason) => ({
    permission: 'deny',
    user_message: reason,
    agent_message: reason,
    userMessage: reason,
    agentMessage: reason,
  }),
};
