import {
  boundedId,
  cutToLimits,
  identify,
  type MessageFields,
  type Observation,
  type ToolEvent,
} from '../../core/event/index.ts';
import { pathCharsMax } from '../../core/limits.ts';
import { redactObservation, redactText } from '../redact/index.ts';

/**
 * Redacts an observation, then cuts it (a cut could leave half a secret that no rule knows), then gives it its identity.
 */
export function prepare(observation: Observation): { event: ToolEvent; redactions: number } {
  const { value: clean, redactions } = redactObservation(observation);
  const { message } = clean;
  const cwd = clean.cwd?.slice(0, pathCharsMax) ?? null;
  const sessionId = boundedId(clean.sessionId);
  return {
    event: identify(
      cutToLimits({
        ...clean,
        ...{ sessionId, toolUseId: callId(observation, clean), cwd },
        ...(message === undefined ? {} : { message: boundedIds(message) }),
      }),
    ),
    redactions,
  };
}

function boundedIds({ role, turnId, agentId }: MessageFields): MessageFields {
  return {
    role,
    turnId: turnId === null ? null : boundedId(turnId),
    agentId: agentId === null ? null : boundedId(agentId),
  };
}

/** Whether a message was `<private>` from its beginning to its end: it is not stored. */
export function isPrivate({ message, output }: ToolEvent): boolean {
  return message !== undefined && typeof output === 'string' && /^(?:<redacted:private>\s*)+$/.test(output);
}

/** Null when redaction changed an id: its placeholder would be the same for every such call. */
function callId(original: Observation, clean: Observation): string | null {
  const isWhole = original.toolUseId === clean.toolUseId && original.sessionId === clean.sessionId;
  return isWhole && clean.toolUseId !== null ? boundedId(clean.toolUseId) : null;
}

/** The focus without secrets. */
export function prepareText(text: string): string {
  return redactText(text).text;
}
