import { hostedBackend } from '../../../src/memory/summarise/hosted.ts';
import type { HostedSettings } from '../../../src/memory/summarise/hosted-chat.ts';
import { purse } from './purse.ts';

export const apiKey = 'sk-ant-test-0123456789abcdef';

/** The hosted backend over a test's own server, with pauses between its tries that nobody notices. */
export function hostedAt(endpoint: string, more: Partial<HostedSettings> = {}) {
  return hostedBackend({
    endpoint,
    model: 'claude-haiku-4-5',
    apiKey,
    budget: purse(),
    retries: { retriesMax: 2, baseMs: 1, retryAfterMsMax: 1_000 },
    ...more,
  });
}
