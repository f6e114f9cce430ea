import type { TranscriptItem } from '#capture/clients';
import { isPrivate, prepare } from '#capture/intake';
import type { Observation, ToolEvent } from '#core/event';

const batchMax = 128;

/** The wanted observations of transcripts as events, stored some at a time; what is left is stored by `flush`. */
export function eventBatches(
  isWanted: (observation: Observation) => boolean,
  store: (events: readonly ToolEvent[]) => Promise<unknown>,
) {
  let events: ToolEvent[] = [];
  const flush = async (): Promise<void> => {
    if (events.length > 0) await store(events);
    events = [];
  };
  const take = async (item: TranscriptItem): Promise<void> => {
    if (item.kind !== 'observation' || !isWanted(item.observation)) return;
    const { event } = prepare(item.observation);
    if (!isPrivate(event)) events.push(event);
    if (events.length >= batchMax) await flush();
  };
  return { take, flush };
}
