import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ended, startThread } from './start.ts';

test('a thread that is refused is an expected failure with its cause', () => {
  // Refused by Node itself, in the same place as one for which the system has no room.
  const nowhere = new URL('https://memd.invalid/thread.cjs');
  expect(() => startThread(nowhere, {})).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      what: expect.stringMatching(/^a thread could not be started: .*URL/),
      repair: expect.any(String),
    }),
  );
});

const thread = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const port = "import { parentPort } from 'node:worker_threads';";

test('a closed thread is left the time for the work that it has begun', async () => {
  const worker = startThread(
    thread(`${port} setTimeout(() => { parentPort.postMessage('done'); parentPort.close(); }, 50);
      parentPort.on('message', () => {});`),
    {},
  );
  const said: unknown[] = [];
  worker.on('message', (message) => said.push(message));
  await ended(worker);
  expect([said, worker.threadId]).toEqual([['done'], -1]);
  await ended(worker);
});

test('one that does not end by itself is ended', async () => {
  const worker = startThread(thread(`${port} parentPort.on('message', () => {});`), {});
  await once(worker, 'online');
  await ended(worker);
  expect(worker.threadId).toBe(-1);
});
