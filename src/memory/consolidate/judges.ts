import type { Config } from '../../core/config/index.ts';
import { hostedPromptTokensMax, localPromptTokensMax, probeIntervalMs } from '../../core/limits.ts';
import { type Judge, judgeBy } from '../curate/index.ts';
import type { Store } from '../store/index.ts';
import {
  type Budget,
  breaker,
  type Chat,
  chatWithBreaker,
  hostedChat,
  localChat,
} from '../summarise/index.ts';

const askPauseMsMax = 10 * 60_000;

export interface JudgeSettings {
  readonly store: Store;
  readonly config: Config;
  /** Null: nothing that costs money is asked. */
  readonly apiKey: string | null;
  readonly budget: Budget;
}

export interface Judges {
  readonly local: Judge;
  /** Null without a key. */
  readonly hosted: Judge | null;
}

/**
 * The models that are asked about pairs: those of the drain. Their breakers are their own, and wait longer: an outage met here
 * holds back no drain, and nothing is urgent here.
 */
export function openJudges({ store, config, apiKey, budget }: JudgeSettings): Judges {
  const gate = () => breaker({ baseMs: probeIntervalMs, longestMs: askPauseMsMax });
  const local = localChat({ endpoint: config['localllm.endpoint'], model: config['localllm.model'] });
  const endpoint = config['hostedllm.endpoint'];
  const model = config['hostedllm.model'];
  return {
    local: judgeBy(chatWithBreaker(counted(local, store), gate()), localPromptTokensMax),
    hosted:
      apiKey === null
        ? null
        : judgeBy(
            chatWithBreaker(hostedChat({ endpoint, model, apiKey, budget }), gate()),
            hostedPromptTokensMax,
          ),
  };
}

/** `chat` with its use in the ledger; the hosted one's is counted by its budget. */
function counted(chat: Chat, store: Store): Chat {
  const { name, model } = chat;
  return {
    name,
    model,
    ask: async (question, signal) => {
      const received = await chat.ask(question, signal);
      if (received.kind === 'outage') return received;
      const day = new Date().toISOString().slice(0, 10);
      store.ledger.addUsage({ day, backend: name, model, ...received.usage });
      return received;
    },
  };
}
