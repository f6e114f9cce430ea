import type { Chat } from '../summarise/index.ts';
import { type AskedPair, promptFor, verdictSchema } from './question.ts';
import { type Judgement, readVerdicts, type Verdict, type VerdictFailure } from './verdicts.ts';

export const askedPairsBatchMax = 4;
const verdictTokensMax = 120;

/** Somebody who says how two memories stand to each other. */
export interface Judge {
  /** How evidence names it, e.g. `llama3.2:3b`. */
  readonly model: string;
  /** The most pairs to ask about at once; changes with how well it keeps up. */
  readonly pairsMax: number;
  ask(pairs: readonly AskedPair[], signal: AbortSignal): Promise<Judgement>;
}

/** A judge that asks a model. After an outage it asks about fewer pairs at once: a slow machine would else never answer. */
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
      // What was cut off may end in a sound list by chance.
      if (received.endedEarly !== null) return { kind: 'rejected', error: received.endedEarly };
      return readVerdicts(received.content, pairs.length);
    },
  };
  return judge;
}

/** Pairs whose question was not taken, in two questions: one of them may be at fault, and the others are not to wait for it. */
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
