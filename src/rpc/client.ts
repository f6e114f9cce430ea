import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type JsonObject, objectAt, own, parseObject, stringAt } from '../event/index.ts';
import { frameBytesMax, pingTimeoutMs, pollIntervalMs, queueRetryMs } from '../limits.ts';
import {
  errorCode,
  Failure,
  isUnsafePlace,
  messageOf,
  privateSocketAddress,
  type SocketAddress,
} from '../platform/index.ts';

export interface CallOptions {
  readonly timeoutMs: number;
  /** Asks by a ping first, and sends the request only when that is answered within `pingTimeoutMs`: who hangs is not waited for. */
  readonly pingFirst?: boolean;
  /** Takes the lines that come before the reply; each of them starts the waiting time anew. */
  readonly interim?: (fields: JsonObject) => void;
  /** Is not sent a second time when the connection ends: it would be done to another daemon. */
  readonly once?: boolean;
  /** The next request on the same connection, and so to the same process, or null to settle with this reply. */
  readonly next?: (reply: JsonObject) => JsonObject | null;
}

/**
 * Sends one request and settles with its reply, whatever `ok` says. A connection that ends before anything was said of the request
 * is made once more, unless it has stood for longer than a ping may take: a daemon that leaves answers what it has taken, or works at it
 * for longer than that, so this was not taken, and the next daemon may be there.
 * @throws Failure `unreachable` (nobody listens), `silent` (no answer to the ping), `timeout`, `closed` (the connection ended without a
 * reply), `bad_reply`; `unsafe_folder` and `unsafe_socket` where the place is not this user's alone
 */
export async function request(
  socket: string,
  message: JsonObject,
  options: CallOptions,
): Promise<JsonObject> {
  const begun = performance.now();
  const reply = await exchange(socket, message, options, pingTimeoutMs);
  if (reply !== null) return reply;
  // The process that has closed it may listen for a moment more.
  await pause(pollIntervalMs);
  const leftMs = pingTimeoutMs - (performance.now() - begun);
  const again = { ...options, timeoutMs: options.timeoutMs - (pingTimeoutMs - leftMs) };
  const isLate = options.once === true || leftMs <= 0 || again.timeoutMs <= 0;
  const second = isLate ? null : await exchange(socket, message, again, leftMs);
  if (second === null) throw new Failure('closed', closedEarly);
  return second;
}

const closedEarly = 'the connection was closed without a reply';

/** Settles with null when the connection ended before anything was said of the request; `pingMs`: what the ping may take. */
function exchange(
  socket: string,
  message: JsonObject,
  options: CallOptions,
  pingMs: number,
): Promise<JsonObject | null> {
  return new Promise((resolve, reject) => {
    const { address, release } = addressOf(socket);
    let rest = '';
    let settled = false;
    let isAwake = options.pingFirst !== true;
    let isConnected = false;
    let isTaken = false;
    const finish = (settle: () => void): void => {
      // `close` follows whatever ended it.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      client.destroy();
      release();
      settle();
    };
    const fail = (code: string, what: string, cause?: unknown): void =>
      finish(() => reject(new Failure(code, what, { cause })));
    const onTime = (): void =>
      isAwake ? fail('timeout', 'timeout') : fail('silent', `it hangs: no answer within ${pingTimeoutMs} ms`);
    let timer = setTimeout(onTime, isAwake ? options.timeoutMs : pingMs);
    const client = connect(address);
    const send = (one: JsonObject): void => void client.write(`${JSON.stringify(one)}\n`);
    client.setEncoding('utf8');
    client.on('connect', () => {
      isConnected = true;
    });
    const onEnd = (): void =>
      isTaken || rest !== '' ? fail('closed', closedEarly) : finish(() => resolve(null));
    client.on('error', (error) => {
      // Closed with our request unread, or while we stood in its queue.
      if (isConnected || errorCode(error) === 'ECONNRESET') return onEnd();
      // Linux: its queue is full of those whom it does not answer.
      fail(
        !isAwake && errorCode(error) === 'EAGAIN' ? 'silent' : 'unreachable',
        `connect ${errorCode(error) ?? messageOf(error)}`,
        error,
      );
    });
    send(isAwake ? message : { op: 'ping' });
    client.on('close', onEnd);
    client.on('data', (chunk: string) => {
      rest += chunk;
      if (rest.length > 4 * frameBytesMax) return fail('bad_reply', 'the reply is too long');
      // A long reply comes in many chunks: only one that ends a line is worth looking through.
      if (!chunk.includes('\n')) return;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        // Null: whatever listens there is not memd.
        const reply = parseObject(line);
        if (reply === null) return fail('bad_reply', 'the reply is not a JSON object');
        const isLast = own(reply, 'ok') !== undefined;
        // A refusal of the ping is one of what was to follow.
        const isPong = !isAwake && reply.ok === true;
        isAwake = true;
        isTaken ||= !isPong;
        const next = isPong ? message : isLast ? (options.next?.(reply) ?? null) : null;
        if (isLast && next === null) return finish(() => resolve(reply));
        clearTimeout(timer);
        timer = setTimeout(onTime, options.timeoutMs);
        if (next !== null) send(next);
        else options.interim?.(reply);
      }
    });
  });
}

/** @throws Failure `unreachable` when the socket's folder is not there, `unsafe_folder` / `unsafe_socket` */
function addressOf(socket: string): SocketAddress {
  try {
    return privateSocketAddress(socket);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unreachable', `connect ${errorCode(error) ?? messageOf(error)}`, { cause: error });
  }
}

/** `request`, with a refusal thrown as well. @throws Failure, its code the one on the wire */
export async function call(socket: string, message: JsonObject, options: CallOptions): Promise<JsonObject> {
  const reply = await request(socket, message, options);
  if (reply.ok === true) return reply;
  const error = objectAt(reply, 'error');
  const told = error === undefined ? undefined : stringAt(error, 'message');
  const code = error === undefined ? undefined : stringAt(error, 'code');
  throw new Failure(code ?? 'bad_reply', told ?? 'the daemon refused without a reason');
}

/** What a ping found: an answer, silence, or nobody there. */
export type Health = 'ok' | 'silent' | 'absent';

/**
 * Pings the daemon; waits `pingTimeoutMs` at most.
 * @throws Failure `unsafe_folder` / `unsafe_socket`: whoever listens there is not asked
 */
export async function ping(socket: string): Promise<Health> {
  const deadline = performance.now() + pingTimeoutMs;
  for (;;) {
    try {
      const timeoutMs = Math.max(1, deadline - performance.now());
      const reply = await request(socket, { op: 'ping' }, { timeoutMs });
      return reply.ok === true ? 'ok' : 'silent';
    } catch (error) {
      if (isUnsafePlace(error)) throw error;
      if (!(error instanceof Failure) || error.code !== 'unreachable') return 'silent';
      // Linux refuses who finds the queue full (connect(2)): somebody listens there, and is behind or hangs.
      if (errorCode(error.cause) !== 'EAGAIN') return 'absent';
      if (performance.now() + queueRetryMs >= deadline) return 'silent';
      await pause(queueRetryMs);
    }
  }
}
