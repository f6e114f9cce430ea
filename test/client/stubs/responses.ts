import { isObject, type Json, type JsonObject } from '#core/event';
import { type Dialect, eventStream, type ModelTurn } from './dialect.ts';

/** OpenAI's Responses API, streamed: what Codex speaks. */
export const responses: Dialect = {
  asksModel: (path) => path.endsWith('/responses'),
  offersTools: ({ tools }) => Array.isArray(tools) && tools.length > 0,
  results: ({ input }) =>
    objectsOf(input)
      .filter(isOutput)
      .map(({ output }) => plain(output)),
  answer: (turn) => {
    const id = `resp_${'callId' in turn ? turn.callId : 'last'}`;
    const item = itemOf(turn);
    const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    const details = {
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const response = {
      id,
      object: 'response',
      model: 'stub',
      output: [item],
      usage: { ...usage, ...details },
    };
    return eventStream(
      [
        { type: 'response.created', response: { id, status: 'in_progress' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...response, status: 'completed' } },
      ].map((data) => ({ event: data.type, data })),
    );
  },
};

function isOutput({ type }: JsonObject): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

function itemOf(turn: ModelTurn): JsonObject {
  if ('text' in turn) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
    return { type: 'message', id: 'msg_last', status: 'completed', role: 'assistant', content };
  }
  const { call, callId } = turn;
  const common = { id: `item_${callId}`, status: 'completed', call_id: callId, name: call.name };
  if (typeof call.input === 'string') return { type: 'custom_tool_call', ...common, input: call.input };
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace };
  return { type: 'function_call', ...common, ...namespace, arguments: JSON.stringify(call.input) };
}

function objectsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function plain(output: Json | undefined): string {
  return typeof output === 'string' ? output : JSON.stringify(output ?? null);
}
