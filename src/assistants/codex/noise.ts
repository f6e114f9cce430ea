import { type NoiseRule, named } from '../form/index.ts';

export const noise: readonly NoiseRule[] = [
  {
    form: 'element',
    match: named(
      'environment_context user_instructions permissions_instructions skills_instructions skill turn_aborted user_action user_shell_command subagent_notification',
    ),
  },
  {
    form: 'whole',
    match: /^# AGENTS\.md instructions/,
  },
];
