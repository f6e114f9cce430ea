import {
  boundedId,
  cutToLimits,
  identify,
  type Observation,
  type ToolEvent,
} from '../../core/event/index.ts';
import { pathCharsMax } from '../../core/limits.ts';
import { redactObservation, redactText } from '../redact/index.ts';

/**
 * An observation made fit to be kept: redacted first (a cut could leave half a secret that no rule knows), then
 * cut, then given its identity. What is not redacted when `isOver` says so is left out.
 */
export function prepare(
  observation: Observation,
  isOver?: () => boolean,
): { event: ToolEvent; redactions: number } {
  const { value: clean, redactions } = redactObservation(observation, isOver);
  const cwd = clean.cwd?.slice(0, pathCharsMax) ?? null;
  const sessionId = boundedId(clean.sessionId);
  return {
    event: identify(cutToLimits({ ...clean, sessionId, toolUseId: callId(observation, clean), cwd })),
    redactions,
  };
}

/** Null when redaction changed an id: what is left of it, a placeholder, is the same for every such call. */
function callId(told: Observation, clean: Observation): string | null {
  const isWhole = told.toolUseId === clean.toolUseId && told.sessionId === clean.sessionId;
  return isWhole && clean.toolUseId !== null ? boundedId(clean.toolUseId) : null;
}

/** A text that is kept beside the calls (the focus), without secrets. */
export function prepareText(text: string): string {
  return redactText(text).text;
}
