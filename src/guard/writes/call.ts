import type { Before, PlannedCall } from '#assistants/form';
import { assistants } from '#assistants/table';
import { isObject, type Json } from '#core/event';

/**
 * The call in the payload of a pre-tool hook, and the form of the answer; null for any other event. `client` is the name that the hook
 * was installed with; it decides only the form of the answer.
 */
export function plannedCall(
  payload: Json,
  client?: string,
): (PlannedCall & { readonly form: Before }) | null {
  if (!isObject(payload)) return null;
  for (const { before } of assistants.toReversed()) {
    const call = before?.read(payload) ?? null;
    if (before !== undefined && call !== null) return { ...call, form: formOf(client) ?? before };
  }
  return null;
}

/** The form of that client's answers; null for an unknown client. */
export function formOf(client: string | undefined): Before | null {
  return assistants.find(({ name }) => name === client && name !== 'generic')?.before ?? null;
}

/** The output of a hook. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit status. */
  readonly status: number;
}

/** A denial in the client's own form. */
export function denial({ deny }: Before, text: string): Answer {
  const reason = text.slice(0, reasonCharsMax);
  if (typeof deny === 'number') return { stdout: '', stderr: `${reason}\n`, status: deny };
  return { stdout: `${JSON.stringify(deny(reason))}\n`, stderr: '', status: 0 };
}

/** A warning to the user; the call proceeds. */
export function warning({ showsMessages }: Before, text: string): Answer {
  const reason = text.slice(0, reasonCharsMax);
  const stdout = showsMessages ? `${JSON.stringify({ systemMessage: reason })}\n` : '';
  return { stdout, stderr: `${reason}\n`, status: 0 };
}

/** Claude Code cuts at 10,000 characters. */
const reasonCharsMax = 2_000;
