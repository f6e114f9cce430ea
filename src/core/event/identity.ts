import { createHash } from 'node:crypto';
import { idCharsMax } from '../limits.ts';
import type { Observation, ToolEvent } from './event.ts';

/**
 * Gives an observation its id: from session and call id where the client has one, so that a live capture,
 * its repeat and its backfill are one event; else from time and content, so that two equal calls are two events. A message without
 * an id of its own is known by its turn, role and text: hook and transcript report it at different times.
 * Call it after redaction: an id must not be a fingerprint of a secret. `boundedId` removes NUL, which separates the
 * hashed parts.
 */
export function identify(observation: Observation): ToolEvent {
  const hash = createHash('sha256');
  const { message } = observation;
  if (message !== undefined) {
    const { sessionId, toolUseId, ts, output } = observation;
    const own = toolUseId ?? [message.agentId, message.turnId ?? ts, output];
    hash.update(`message\0${JSON.stringify([sessionId, message.role, own])}`);
  } else if (observation.toolUseId !== null && observation.toolUseId !== '') {
    hash.update(`call\0${observation.sessionId}\0${observation.toolUseId}`);
  } else {
    const { sessionId, ts, tool, input, output } = observation;
    hash.update(`content\0${JSON.stringify([sessionId, ts, tool, input, output])}`);
  }
  return { id: `ev_${hash.digest('hex').slice(0, 24)}`, ...observation };
}

/**
 * A client's id of a session or a call in a form that can be stored. Two ids that differ stay different: one that is longer than
 * `idCharsMax`, or holds what SQLite or UTF-8 cannot (NUL, half a surrogate pair), becomes its beginning and a hash of all of it.
 */
export function boundedId(id: string): string {
  if (id.length <= idCharsMax && !unstorable.test(id)) return id;
  // JSON escapes NUL and half pairs; UTF-8 turns all half pairs into one character.
  const hash = createHash('sha256').update(JSON.stringify(id)).digest('hex').slice(0, 32);
  return `${id.slice(0, shownChars).replaceAll(unstorableAll, '?')}~${hash}`;
}

const shownChars = 64;
const unstorable = /[\0\p{Surrogate}]/u;
const unstorableAll = /[\0\p{Surrogate}]/gu;
