import { localPromptTokensMax } from '#core/limits';
import type { RawEvent } from './backend.ts';
import type { Chat, ChatQuestion, ChatReply, Rejection } from './chat.ts';
import { answerSchema, promptFor } from './prompt.ts';

const checkTokensMax = 16;
/** For this long a check that passed is not repeated: splitting a batch causes many refusals. */
const checkValidMs = 10_000;

/** `unclear`: the server answered 400, 422, ...; either the question is at fault or the backend is. */
export type UncheckedReply = ChatReply | (Omit<Rejection, 'kind'> & { readonly kind: 'unclear' });

/**
 * Decides what an unclear refusal means: sends a small harmless question of the same shape. If the server accepts that, the
 * refused question is at fault (`rejected`), else the backend is (`outage`).
 */
export function withRefusalCheck(
  send: (question: ChatQuestion, signal: AbortSignal) => Promise<UncheckedReply>,
): Chat['ask'] {
  let validUntil = 0;
  return async (question, signal) => {
    const reply = await send(question, signal);
    if (reply.kind !== 'unclear') return reply;
    const { error, usage } = reply;
    const rejection: Rejection = { kind: 'rejected', error, usage, refused: true };
    if (performance.now() < validUntil) return rejection;
    const check = await send(harmless, signal);
    if (check.kind === 'outage') return check;
    if (check.kind === 'unclear') return { kind: 'outage', error, retryable: false };
    validUntil = performance.now() + checkValidMs;
    const calls = usage.calls + check.usage.calls;
    const inputTokens = usage.inputTokens + check.usage.inputTokens;
    const outputTokens = usage.outputTokens + check.usage.outputTokens;
    return { ...rejection, usage: { calls, inputTokens, outputTokens } };
  };
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
