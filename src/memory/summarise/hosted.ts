import { hostedPromptTokensMax } from '#core/limits';
import { askSummaries } from './answers.ts';
import type { HostedBackend } from './backend.ts';
import { type Breaker, chatWithBreaker } from './breaker.ts';
import { type HostedSettings, hostedChat } from './hosted-chat.ts';

const hostedBatchMax = 16;

/** Summaries by the hosted API, within its budget. */
export function hostedBackend(settings: HostedSettings, gate?: Breaker): HostedBackend {
  const chat = hostedChat(settings);
  const guarded = chatWithBreaker(chat, gate);
  return {
    name: 'hosted',
    model: chat.model,
    batchMax: hostedBatchMax,
    unavailable: (signal) => chat.unavailable(signal),
    summarise: (events, signal) => askSummaries(guarded, events, hostedPromptTokensMax, signal),
    holdAfter: (outage) => gate?.note(outage),
  };
}
