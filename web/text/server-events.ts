export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html); comments come as `ping`. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield readEvent(block);
    }
  } finally {
    reader.releaseLock();
  }
}

export function readEvent(block: string): ServerEvent {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return { event: event || (data.length > 0 ? 'message' : 'ping'), data: data.join('\n') };
}
