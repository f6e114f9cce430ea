import type { Noise } from '../form/index.ts';

export const noise: Noise = {
  elements:
    'system-reminder reminder ide_opened_file ide_selection ide_diagnostics local-command-caveat local-command-stdout ' +
    'local-command-stderr bash-input bash-stdout bash-stderr task-notification bash-notification agent-notification ' +
    'teammate-message cross-session-message user-prompt-submit-hook session-start-hook post-tool-use-hook new-diagnostics',
  parts: [
    /^(?:Read the output file to retrieve the (?:result|output): |Full transcript available at: ).*$/gm,
    /^\[(?:Request interrupted by user[^\]\n]*|Image(?: #\d+|: [^\]\n]*))\]\s*/gm,
  ],
  // Added to a plan for a new conversation.
  tails: [/(?:^|\n+)If you need specific details from before exiting plan mode/],
  prompts: [
    /^(?:Caveat: The messages below|This session is being continued from a previous conversation)/,
    /^(?:Stop hook feedback:|Operation stopped by hook:|Base directory for this skill:)/,
    // In place of an answer, when the user wants to talk about the question.
    /^The user wants to clarify these questions\./,
    /^(?:\[SYSTEM[: ]|\{"task_id":)/,
  ],
  // The client writes them itself.
  replies: [/^(?:No response requested\.|\(no content\)|\[Request interrupted by user[^\]\n]*\])$/],
};
