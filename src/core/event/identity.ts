import { createHash } from 'node:crypto';
import { idCharsMax } from '../limits.ts';
import type { Observation, ToolEvent } from './event.ts';

/**
 * Gives an observation its id: from session and call id where the client has one, so that a live capture,
 * its repeat and its backfill are one event; else from time and content, so that the same call made twice is
 * two events. Call it after redaction: an id must not be a fingerprint of a secret. Its ids are those of `boundedId`, which hold
 * no NUL: so the parts of what is hashed cannot run into each other.
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

/**
 * A client's id of a session or a call in a form that can be stored. Two ids that differ stay different: one that is longer than
 * `idCharsMax`, or holds what SQLite or UTF-8 cannot (NUL, half a surrogate pair), becomes its beginning and a hash of all of it.
 */
export function boundedId(id: string): string {
  if (id.length <= idCharsMax && !unstorable.test(id)) return id;
  // JSON writes NUL and half pairs as escapes; UTF-8 makes one and the same character of all half pairs.
  const hash = createHash('sha256').update(JSON.stringify(id)).digest('hex').slice(0, 32);
  return `${id.slice(0, shownChars).replaceAll(unstorableAll, '?')}~${hash}`;
}

const shownChars = 64;
const unstorable = /[\0\p{Surrogate}]/u;
const unstorableAll = /[\0\p{Surrogate}]/gu;
