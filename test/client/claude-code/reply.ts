import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { JsonObject } from '#core/event';

export interface Call {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What the model says in one turn: a text, or calls of tools. */
export interface Turn {
  /** Done before the turn is said: the request is there, what came before has been done. */
  readonly before?: () => void | Promise<void>;
  readonly say?: string;
  readonly calls?: readonly Call[];
  /** It refuses the request with these words. */
  readonly refuse?: string;
}

export function call(tool: string, input: JsonObject): Turn {
  return { calls: [{ tool, input }] };
}

export function bash(command: string): Turn {
  return call('Bash', { command, description: 'a step' });
}

type Block = JsonObject & { readonly type: 'text' | 'tool_use' };

/** Answers a request of the Messages API: as a stream of server-sent events when it asks for one. */
export function replyTo(body: JsonObject, turn: Turn, response: http.ServerResponse): void {
  if (turn.refuse !== undefined) {
    const error = { type: 'invalid_request_error', message: turn.refuse };
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error }));
    return;
  }
  const calls = turn.calls ?? [];
  const content: Block[] = calls.map(({ tool, input }) => ({
    ...{ type: 'tool_use', id: `toolu_${randomUUID().replaceAll('-', '')}`, name: tool, input },
  }));
  if (turn.say !== undefined || content.length === 0) content.unshift({ type: 'text', text: turn.say ?? '' });
  const message = {
    ...{ id: `msg_${randomUUID().replaceAll('-', '')}`, type: 'message', role: 'assistant' },
    model: typeof body.model === 'string' ? body.model : 'scripted',
    ...{ content, stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: 100, output_tokens: 10 },
  };
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(message));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, fields: JsonObject): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) sendBlock(index, block, send);
  const { stop_reason, stop_sequence, usage } = message;
  send('message_delta', { delta: { stop_reason, stop_sequence }, usage });
  send('message_stop', {});
  response.end();
}

function sendBlock(index: number, block: Block, send: (type: string, fields: JsonObject) => void): void {
  const isText = block.type === 'text';
  send('content_block_start', {
    index,
    content_block: { ...block, ...(isText ? { text: '' } : { input: {} }) },
  });
  const delta = isText
    ? { type: 'text_delta', text: block.text ?? '' }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  send('content_block_delta', { index, delta });
  send('content_block_stop', { index });
}
