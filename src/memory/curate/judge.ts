import type { Chat } from '#memory/summarise';
import { type AskedPair, promptFor, verdictSchema } from './question.ts';
import { type Judgement, readVerdicts, type Verdict, type VerdictFailure } from './verdicts.ts';

export const askedPairsBatchMax = 4;
const verdictTokensMax = 120;

/** Decides whether one memory replaces or contradicts another. */
export interface Judge {
  /** The name in evidence, such as `llama3.2:3b`. */
  readonly model: string;
  /** The most pairs per question. Adapts to the speed of the model. */
  readonly pairsMax: number;
  ask(pairs: readonly AskedPair[], signal: AbortSignal): Promise<Judgement>;
}

/**
 * A judge that asks a model. After an outage it asks about fewer pairs per question, so that a slow machine can
 * answer.
 */
export function judgeBy(chat: Chat, promptTokensMax: number): Judge {
  let pairsMax = askedPairsBatchMax;
  const judge: Judge = {
    model: chat.model,
    get pairsMax() {
      return pairsMax;
    },
    ask: async (pairs, signal) => {
      const question = {
        prompt: promptFor(pairs, promptTokensMax),
        schema: verdictSchema,
        answerTokens: {
          max: (pairs.length + 1) * verdictTokensMax,
          likely: Math.ceil((pairs.length * verdictTokensMax) / 2),
        },
      };
      const received = await chat.ask(question, signal);
      if (received.kind === 'rejected' && pairs.length > 1)
        return inHalves(pairs, (half) => judge.ask(half, signal));
      if (received.kind === 'outage') {
        pairsMax = Math.max(1, Math.floor(pairs.length / 2));
        return { kind: 'outage', error: received.error };
      }
      pairsMax = Math.min(askedPairsBatchMax, pairsMax + 1);
      if (received.kind === 'rejected') return { kind: 'rejected', error: received.error };
      // A list that was cut off may still be valid JSON.
      if (received.endedEarly !== null) return { kind: 'rejected', error: received.endedEarly };
      return readVerdicts(received.content, pairs.length);
    },
  };
  return judge;
}

/** Asks again in two halves: one pair may be the cause, and the others must not wait for it. */
async function inHalves(
  pairs: readonly AskedPair[],
  ask: (half: readonly AskedPair[]) => Promise<Judgement>,
): Promise<Judgement> {
  const middle = Math.ceil(pairs.length / 2);
  const verdicts: (Verdict | VerdictFailure)[] = [];
  for (const half of [pairs.slice(0, middle), pairs.slice(middle)]) {
    const judgement = await ask(half);
    if (judgement.kind === 'outage') return judgement;
    verdicts.push(
      ...(judgement.kind === 'judged' ? judgement.verdicts : half.map(() => ({ error: judgement.error }))),
    );
  }
  return { kind: 'judged', verdicts };
}
