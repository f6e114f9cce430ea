import { createHash } from 'node:crypto';
import type { Observation, ToolEvent } from './event.ts';

/**
 * Gives an observation its id: from session and call id where the client has one, so that a live capture,
 * its repeat and its backfill are one event; else from time and content, so that the same call made twice is
 * two events. Call it after redaction: an id must not be a fingerprint of a secret.
 */
export function identify(observation: Observation): ToolEvent {
  const hash = createHash('sha256');
  if (observation.toolUseId !== null && observation.toolUseId !== '') {
    hash.update(`call\0${observation.sessionId}\0${observation.toolUseId}`);
  } else {
    const { sessionId, ts, tool, input, output } = observation;
    hash.update(`content\0${JSON.stringify([sessionId, ts, tool, input, output])}`);
  }
  return { id: `ev_${hash.digest('hex').slice(0, 24)}`, ...observation };
}
