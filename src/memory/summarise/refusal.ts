import { localPromptTokensMax } from '../../core/limits.ts';
import type { RawEvent } from './backend.ts';
import type { ChatQuestion, Heard } from './chat.ts';
import { answerSchema, promptFor } from './prompt.ts';

// The answer to a question that only finds out whether questions are taken.
const checkTokensMax = 16;

/** What a server said of one question: `refused` (400, 422, ...) leaves open whether the question or the whole backend is at fault. */
export type Reaction =
  | Heard
  | (Omit<Extract<Heard, { kind: 'rejected' }>, 'kind'> & { readonly kind: 'refused' });

/**
 * Settles what a refusal means, by a small question about a harmless event, asked right after it. If the server takes that one, the
 * refused question is at fault (`rejected`), else the backend is (`outage`). So a bad event is found even when it waits alone, and a
 * wrong setting or an empty account counts against no event.
 */
export async function settled(
  reaction: Reaction,
  ask: (question: ChatQuestion) => Promise<Reaction>,
): Promise<Heard> {
  if (reaction.kind !== 'refused') return reaction;
  const check = await ask(harmless);
  if (check.kind === 'outage') return check;
  if (check.kind === 'refused') return { kind: 'outage', error: reaction.error, retryable: false };
  const inputTokens = reaction.usage.inputTokens + check.usage.inputTokens;
  const outputTokens = reaction.usage.outputTokens + check.usage.outputTokens;
  const usage = { calls: reaction.usage.calls + check.usage.calls, inputTokens, outputTokens };
  return { kind: 'rejected', error: reaction.error, usage };
}

const readme: RawEvent = {
  id: 'ev_harmless',
  payload: {
    tool: 'Read',
    input: { file_path: 'README.md' },
    output: 'How to build and test this project.',
    sessionId: '',
    toolUseId: null,
    ts: '2026-01-01T00:00:00.000Z',
    client: 'generic',
    isError: false,
    cwd: null,
  },
};

const harmless: ChatQuestion = {
  prompt: promptFor([readme], localPromptTokensMax),
  schema: answerSchema,
  // Nobody reads the answer.
  answerTokens: { max: checkTokensMax, likely: checkTokensMax },
};
