import type { Before } from '../../assistants/form/index.ts';

/** The output of a hook. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
}

/** A denial in the client's own form. */
export function denial({ deny }: Before, text: string): Answer {
  return { stdout: `${JSON.stringify(deny(text.slice(0, reasonCharsMax)))}\n`, stderr: '' };
}

/** A warning to the user; the call proceeds. */
export function warning({ showsMessages }: Before, text: string): Answer {
  const reason = text.slice(0, reasonCharsMax);
  const stdout = showsMessages ? `${JSON.stringify({ systemMessage: reason })}\n` : '';
  return { stdout, stderr: `${reason}\n` };
}

/** Claude Code cuts at 10,000 characters. */
const reasonCharsMax = 2_000;
