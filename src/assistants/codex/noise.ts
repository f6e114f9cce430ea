import type { Noise } from '../form/index.ts';

export const noise: Noise = {
  elements:
    'environment_context user_instructions permissions_instructions skills_instructions skill turn_aborted ' +
    'user_action user_shell_command subagent_notification',
  prompts: [/^# AGENTS\.md instructions/],
};
