import { cutToLimits, identify, type Observation, type ToolEvent } from '../event/index.ts';
import { pathCharsMax } from '../limits.ts';
import { redactObservation, redactText } from '../redact/index.ts';

/**
 * An observation made fit to be kept: redacted first (a cut could leave half a secret that no rule knows), then
 * cut, then given its identity.
 */
export function prepare(observation: Observation): { event: ToolEvent; redactions: number } {
  const { value: clean, redactions } = redactObservation(observation);
  const cwd = clean.cwd?.slice(0, pathCharsMax) ?? null;
  return { event: identify(cutToLimits({ ...clean, cwd })), redactions };
}

/** A text that is kept beside the calls (the focus), without secrets. */
export function prepareText(text: string): string {
  return redactText(text).text;
}
