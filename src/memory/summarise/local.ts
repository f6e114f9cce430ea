import { localPromptTokensMax } from '#core/limits';
import { type ModelAccess, ollamaLacks, type Probe, probeOllama, publicAddress } from '#core/model';
import { askSummaries } from './answers.ts';
import type { Backend, BatchOutcome } from './backend.ts';
import { type Breaker, chatWithBreaker } from './breaker.ts';
import { localChat } from './local-chat.ts';

export const localBatchMax = 8;

export interface LocalBackend extends Backend {
  /** The base address as it may be shown. */
  readonly endpoint: string;
  /** Whether the runtime runs and has the model. */
  probe(signal: AbortSignal, timeoutMs?: number): Promise<Probe>;
}

/**
 * Summaries by a model on the developer's machine. A batch that times out halves the next ones, since a slow machine would
 * never finish any; one that succeeds lets them grow again.
 */
export function localBackend(settings: ModelAccess, gate?: Breaker): LocalBackend {
  const { endpoint, model } = settings;
  const chat = chatWithBreaker(localChat(settings), gate);
  let batchMax = localBatchMax;
  return {
    name: 'local',
    model,
    endpoint: publicAddress(endpoint),
    get batchMax() {
      return batchMax;
    },
    probe: async (signal, probeMs) => {
      const found = await probeOllama(endpoint, signal, probeMs);
      if (found.state !== 'ready') return found;
      const lacks = await ollamaLacks(endpoint, model, signal, probeMs);
      return lacks === null ? found : { state: 'lacking', error: lacks };
    },
    summarise: async (events, signal) => {
      const outcome = await askSummaries(chat, events, localPromptTokensMax, signal);
      batchMax = nextBatchMax(batchMax, events.length, outcome);
      return outcome;
    },
    holdAfter: (outage) => gate?.note(outage),
  };
}

function nextBatchMax(current: number, size: number, outcome: BatchOutcome): number {
  if (outcome.kind === 'outage') return outcome.timedOut ? Math.max(1, Math.floor(size / 2)) : current;
  const worked = outcome.kind === 'done' || outcome.refused === undefined;
  return worked && size >= current ? Math.min(localBatchMax, current + 1) : current;
}
