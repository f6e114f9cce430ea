import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { backfill } from './backfill.ts';

it('is not begun for an asker who is gone, and lets go of the engine', async () => {
  const { port1: engine, port2: other } = new MessageChannel();
  const closed = new Promise((resolve) => other.once('close', resolve));
  // What would run without end if it were begun.
  const script = new URL('data:text/javascript,setInterval(() => {}, 1000)');
  const asked = { source: { from: '/' }, dryRun: true, messages: true, engine, script, progress: () => {} };
  await expect(backfill({ ...asked, signal: AbortSignal.abort() })).rejects.toThrow('was stopped');
  await closed;
});
