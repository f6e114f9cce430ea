import { hostedPromptTokensMax, summaryTokensMax } from '../../core/limits.ts';
import { receivedSummaries } from './answers.ts';
import type { Backend, RawEvent } from './backend.ts';
import type { ChatQuestion } from './chat.ts';
import { type HostedSettings, hostedChat } from './hosted-chat.ts';
import { answerSchema, promptFor } from './prompt.ts';

const hostedBatchMax = 16;

/** Summaries by the hosted API, within its budget. */
export function hostedBackend(settings: HostedSettings): Backend {
  const chat = hostedChat(settings);
  return {
    name: 'hosted',
    model: chat.model,
    batchMax: hostedBatchMax,
    unavailable: (signal) => chat.unavailable(signal),
    summarise: async (events, signal) =>
      receivedSummaries(await chat.ask(questionFor(events), signal), events.length),
  };
}

function questionFor(events: readonly RawEvent[]): ChatQuestion {
  const { length } = events;
  return {
    prompt: promptFor(events, hostedPromptTokensMax),
    schema: answerSchema,
    answerTokens: {
      max: (length + 1) * summaryTokensMax,
      likely: Math.ceil((length * summaryTokensMax) / 2),
    },
  };
}
