import { type Store, stepsAfter } from '../../memory/store/index.ts';
import { readStored } from '../../reading/call/index.ts';

const rowsMax = 12;

/** The folder of the first call of a session that names one; null when none of the first calls does. */
export function rootOf(connection: Store['connection'], sessionId: string): string | null {
  for (const { payloadJson } of stepsAfter(connection, sessionId, null, rowsMax)) {
    // A message has a folder too, but is not a call.
    const cwd = payloadJson.includes('"cwd"') ? (readStored(payloadJson)?.cwd ?? null) : null;
    if (cwd !== null) return cwd;
  }
  return null;
}
