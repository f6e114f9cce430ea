import { localPromptTokensMax, summaryTokensMax } from '../../core/limits.ts';
import { ollamaLacks, type Probe, probeOllama, publicAddress, type Reply } from '../../core/model/index.ts';
import { receivedSummaries } from './answers.ts';
import type { Backend, RawEvent } from './backend.ts';
import type { ChatQuestion } from './chat.ts';
import { type LocalSettings, localChat } from './local-chat.ts';
import { answerSchema, promptFor } from './prompt.ts';

export const localBatchMax = 8;

export interface LocalBackend extends Backend {
  /** The base address as it may be shown. */
  readonly endpoint: string;
  /** Whether the runtime is there and has the model; see `Probe`. */
  probe(signal: AbortSignal, timeoutMs?: number): Promise<Probe>;
}

/**
 * Summaries by a model on the developer's machine, through Ollama's `/api/chat`. A batch that times out halves the
 * next ones, since a slow machine would else never finish any; one that succeeds lets them grow again.
 */
export function localBackend(settings: LocalSettings): LocalBackend {
  const { endpoint, model } = settings;
  const chat = localChat(settings);
  let batchMax = localBatchMax;
  const probe = async (signal: AbortSignal, probeMs?: number): Promise<Probe> => {
    const found = await probeOllama(endpoint, signal, probeMs);
    if (found.state !== 'ready') return found;
    const lacks = await ollamaLacks(endpoint, model, signal, probeMs);
    return lacks === null ? found : { state: 'lacking', error: lacks };
  };
  return {
    name: 'local',
    model,
    endpoint: publicAddress(endpoint),
    get batchMax() {
      return batchMax;
    },
    probe,
    unavailable: async (signal) => {
      const found = await probe(signal);
      return found.state === 'ready' ? null : found.error;
    },
    summarise: async (events, signal) => {
      const { received, reply } = await chat.exchange(questionFor(events), signal);
      batchMax = nextBatchMax(batchMax, events.length, reply);
      return receivedSummaries(received, events.length);
    },
  };
}

function questionFor(events: readonly RawEvent[]): ChatQuestion {
  const max = (events.length + 1) * summaryTokensMax;
  return {
    prompt: promptFor(events, localPromptTokensMax),
    schema: answerSchema,
    answerTokens: { max, likely: max },
  };
}

function nextBatchMax(current: number, size: number, reply: Reply): number {
  if (reply.kind === 'silent' && reply.reach === 'timeout') return Math.max(1, Math.floor(size / 2));
  const worked = reply.kind === 'answered' && reply.status === 200;
  return worked && size >= current ? Math.min(localBatchMax, current + 1) : current;
}
