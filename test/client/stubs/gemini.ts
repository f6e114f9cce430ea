import { isObject, type Json, type JsonObject } from '#core/event';
import { type Dialect, eventStream, type ModelTurn } from './dialect.ts';

/** Google's generateContent and streamGenerateContent: what Gemini CLI speaks. */
export const gemini: Dialect = {
  asksModel: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  offersTools: ({ tools }) =>
    objectsOf(tools).some((tool) => objectsOf(tool.functionDeclarations).length > 0),
  results: ({ contents }) =>
    objectsOf(contents)
      .flatMap(({ parts }) => objectsOf(parts))
      .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : []))
      .map(({ response }) => JSON.stringify(response ?? null)),
  answer: (turn, path) => {
    const content = { role: 'model', parts: [partOf(turn)] };
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
    const candidates = [{ index: 0, content, finishReason: 'STOP' }];
    const data = { candidates, usageMetadata, modelVersion: 'stub-model' };
    if (path.endsWith(':streamGenerateContent')) return eventStream([{ data }]);
    return { type: 'application/json', body: JSON.stringify(data) };
  },
};

function partOf(turn: ModelTurn): JsonObject {
  if ('text' in turn) return { text: turn.text };
  const { call, callId } = turn;
  const args = typeof call.input === 'string' ? { input: call.input } : call.input;
  return { functionCall: { id: callId, name: call.name, args } };
}

function objectsOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
