import { type NoiseRule, named } from '../form/index.ts';

export const noise: readonly NoiseRule[] = [
  {
    form: 'element',
    match: named('system-reminder reminder ide_opened_file ide_selection ide_diagnostics'),
  },
  {
    form: 'element',
    match: named(
      'local-command-caveat local-command-stdout local-command-stderr bash-input bash-stdout bash-stderr',
    ),
  },
  {
    form: 'element',
    match: named(
      'task-notification bash-notification agent-notification teammate-message cross-session-message',
    ),
  },
  {
    form: 'part',
    match:
      /^(?:Read the output file to retrieve the (?:result|output): |Full transcript available at: ).*$/gm,
  },
  {
    form: 'element',
    match: named('user-prompt-submit-hook session-start-hook post-tool-use-hook new-diagnostics'),
  },
  {
    form: 'part',
    match: /^\[(?:Request interrupted by user[^\]\n]*|Image(?: #\d+|: [^\]\n]*))\]\s*/gm,
  },
  {
    form: 'tail',
    // Added to a plan for a new conversation.
    match: /(?:^|\n+)If you need specific details from before exiting plan mode/,
  },
  {
    form: 'whole',
    match: /^(?:Caveat: The messages below|This session is being continued from a previous conversation)/,
  },
  {
    form: 'whole',
    match: /^(?:Stop hook feedback:|Operation stopped by hook:|Base directory for this skill:)/,
  },
  {
    form: 'whole',
    match: /^(?:\[SYSTEM[: ]|\{"task_id":)/,
  },
  {
    role: 'assistant',
    form: 'whole',
    // The client writes it itself.
    match: /^(?:No response requested\.|\(no content\)|\[Request interrupted by user[^\]\n]*\])$/,
  },
];
