import { createHash } from 'node:crypto';
import { boundedId, cutToLimits, identify, type Observation, type ToolEvent, withIds } from '#core/event';
import { pathCharsMax } from '#core/limits';
import { redactObservation, redactText } from '#redact/engine';

/**
 * Redacts an observation, then cuts it (a cut could leave half a secret that no rule knows), then gives it its identity.
 */
export function prepare(observation: Observation): { event: ToolEvent; redactions: number } {
  const { value: clean, redactions } = redactObservation(observation);
  const { message, parent } = observation;
  const cwd = clean.cwd?.slice(0, pathCharsMax) ?? null;
  const sessionId = storedId(observation.sessionId);
  return {
    event: identify(
      cutToLimits({
        ...clean,
        ...{ sessionId, toolUseId: callId(observation), cwd },
        ...(message === undefined ? {} : { message: withIds(message, storedId) }),
        ...(parent === undefined ? {} : { parent: { ...parent, session: storedId(parent.session) } }),
      }),
    ),
    redactions,
  };
}

/** Whether a message was `<private>` from its beginning to its end: it is not stored. */
export function isPrivate({ message, output }: ToolEvent): boolean {
  return message !== undefined && typeof output === 'string' && /^(?:<redacted:private>\s*)+$/.test(output);
}

/**
 * A client's id without secrets. If it held a token, a hash of all of it follows, so that two such ids stay two and one
 * stays itself on every way; what was guessable (`password=x`) gets none, since it could be found by trying.
 */
export function storedId(id: string): string {
  const { text, kinds } = redactText(id);
  if (text === id) return boundedId(id);
  if (isGuessable(kinds)) return boundedId(text);
  return boundedId(`${text}~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`);
}

/** Null if an id has lost what told it from others: its placeholder would be the same for every such call. */
function callId({ toolUseId, sessionId }: Observation): string | null {
  const hasLost = (id: string) => isGuessable(redactText(id).kinds);
  return toolUseId === null || hasLost(toolUseId) || hasLost(sessionId) ? null : storedId(toolUseId);
}

function isGuessable(kinds: Readonly<Record<string, number>>): boolean {
  return Object.keys(kinds).some((kind) => guessable.has(kind));
}
/** Kinds that redaction gives for a name or a place, so that the value may be a word. */
const guessable: ReadonlySet<string> = new Set([
  ...['env', 'password', 'secret', 'high-entropy', 'private', 'cookie'],
  ...['url-credentials', 'command-credentials', 'authorization', 'kubernetes-secret'],
]);

/** A focus or a note without secrets. */
export function prepareText(text: string): string {
  return redactText(text, undefined, true).text;
}
