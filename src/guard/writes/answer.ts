import type { Form } from './call.ts';

/** The output of a hook. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
}

/** A denial in the client's own form. */
export function denial(form: Form, text: string): Answer {
  const reason = text.slice(0, reasonCharsMax);
  switch (form) {
    case 'claude':
      return json({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      });
    case 'gemini':
      return json({ decision: 'deny', reason });
    case 'copilot':
      return json({ permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'opencode':
      return json({ decision: 'deny', reason });
    case 'cursor':
      // Both spellings are in use (camelCase in the first versions with hooks).
      return json({
        permission: 'deny',
        user_message: reason,
        agent_message: reason,
        userMessage: reason,
        agentMessage: reason,
      });
    case 'cline':
      return json({ cancel: true, errorMessage: reason });
  }
}

/** A warning to the user; the call proceeds. */
export function warning(form: Form, text: string): Answer {
  const reason = text.slice(0, reasonCharsMax);
  const stderr = `${reason}\n`;
  const isShown = form === 'claude' || form === 'gemini';
  return { stdout: isShown ? `${JSON.stringify({ systemMessage: reason })}\n` : '', stderr };
}

/** Claude Code cuts at 10,000 characters. */
const reasonCharsMax = 2_000;

function json(value: object): Answer {
  return { stdout: `${JSON.stringify(value)}\n`, stderr: '' };
}
