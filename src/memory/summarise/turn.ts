import type { Payload } from '#core/event';
import type { Store } from '#memory/store';
import { parsePayload } from '#reading/call';
import type { Turn } from './backend.ts';

const turnCallsMax = 24;
const turnCharsMax = 512 * 1024;

/** The calls of the turn around the message at `seq`, nearest first on both sides; without those that retention has shrunk. */
export function turnAt({ events }: Pick<Store, 'events'>, seq: number): Turn {
  const { before, after } = events.turn(seq, turnCallsMax);
  return { before: payloadsIn(before), after: payloadsIn(after) };
}

function payloadsIn(jsons: readonly string[]): readonly Payload[] {
  let room = turnCharsMax;
  return jsons.flatMap((json) => {
    room -= json.length;
    const parsed = parsePayload(json);
    return room < 0 || !('payload' in parsed) ? [] : [parsed.payload];
  });
}
