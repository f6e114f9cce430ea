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
export function identify({ attempt, ...observation }: Observation): ToolEvent {
  const hash = createHash('sha256');
  const { message, sessionId, toolUseId, ts, tool, input, output } = observation;
  const when = attempt ?? ts;
  if (message !== undefined) {
    const own = toolUseId ?? [message.agentId, message.turnId ?? when, output];
    hash.update(`message\0${JSON.stringify([sessionId, message.role, own])}`);
  } else if (toolUseId !== null && toolUseId !== '') {
    hash.update(`call\0${sessionId}\0${toolUseId}`);
  } else {
    hash.update(`content\0${JSON.stringify([sessionId, when, tool, input, output])}`);
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
