import type { Json } from '#core/event';
import { pause } from '#core/platform';
import type { RequestContext } from '#core/rpc';
import type { Engine } from '#service/engine';

const subscribeIntervalMs = 1_000;
const subscribeRepeatMs = 5_000;

/**
 * Sends counts now, at every change and every `subscribeRepeatMs`, until the client is gone. Only a write shows that it is: a
 * half-closed socket (`nc` behind a pipe) may still listen.
 */
export async function subscribe(engine: Engine, { interim, signal }: RequestContext): Promise<object> {
  let last = '';
  let sentAt = 0;
  while (!signal.aborted) {
    const counts = await engine.call('counts');
    const text = JSON.stringify(counts);
    if (text !== last || performance.now() - sentAt >= subscribeRepeatMs) {
      interim({ counts: JSON.parse(text) as Json });
      sentAt = performance.now();
    }
    last = text;
    await pause(subscribeIntervalMs, signal);
  }
  return {};
}
