import { isObject, type Json, type JsonObject } from '#core/event';
import { type Dialect, eventStream, type ModelTurn } from './dialect.ts';

const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'stub-model' };
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** OpenAI's chat completions, streamed or whole: what most clients speak to a provider of one's own. */
export const completions: Dialect = {
  asksModel: (path) => path.endsWith('/chat/completions'),
  offersTools: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  results: ({ messages }) =>
    (Array.isArray(messages) ? messages : [])
      .filter(isObject)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => plain(content)),
  answer: (turn, _path, request) => {
    const message = messageOf(turn);
    const finish_reason = 'text' in turn ? 'stop' : 'tool_calls';
    if (request.stream !== true) {
      const choices = [{ index: 0, message, finish_reason }];
      return {
        type: 'application/json',
        body: JSON.stringify({ ...common, object: 'chat.completion', choices, usage }),
      };
    }
    const chunk = (choices: Json[], extra: JsonObject = {}): { data: JsonObject } => ({
      data: { ...common, object: 'chat.completion.chunk', choices, ...extra },
    });
    return eventStream([
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
      { data: '[DONE]' },
    ]);
  },
};

function messageOf(turn: ModelTurn): JsonObject {
  if ('text' in turn) return { role: 'assistant', content: turn.text };
  const { call, callId } = turn;
  const text = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
  const made = { index: 0, id: callId, type: 'function', function: { name: call.name, arguments: text } };
  return { role: 'assistant', content: null, tool_calls: [made] };
}

function plain(content: Json | undefined): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? null);
}
