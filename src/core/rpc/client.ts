import { type JsonObject, objectAt, stringAt } from '../event/index.ts';
import { pingTimeoutMs, pollIntervalMs } from '../limits.ts';
import { errorCode, Failure, isUnsafePlace, pause } from '../platform/index.ts';
import { type ExchangeOptions, exchange, type Reply } from './exchange.ts';
import { closedEarly } from './reply.ts';

// How often a socket whose queue is full is tried again.
const queueRetryMs = 50;

export interface CallOptions extends ExchangeOptions {
  /** Is not sent a second time when the connection ends: it would be done to another daemon. */
  readonly once?: boolean;
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
  return (await replyTo(socket, message, options)).fields;
}

async function replyTo(socket: string, message: JsonObject, options: CallOptions): Promise<Reply> {
  const begun = performance.now();
  const first = await exchange(socket, message, options, pingTimeoutMs);
  if (first !== null) return first;
  const second = options.once === true ? null : await secondReply(socket, message, options, begun);
  if (second === null) throw new Failure('closed', closedEarly);
  return second;
}

async function secondReply(
  socket: string,
  message: JsonObject,
  options: CallOptions,
  begun: number,
): Promise<Reply | null> {
  // The process that has closed it may listen for a moment more.
  await pause(pollIntervalMs, options.stop);
  const spentMs = performance.now() - begun;
  const timeoutMs = options.timeoutMs - spentMs;
  const pingMs = pingTimeoutMs - spentMs;
  if (pingMs <= 0 || timeoutMs <= 0) return null;
  return exchange(socket, message, { ...options, timeoutMs }, pingMs);
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

/**
 * The first object that comes in reply, within one deadline that nothing prolongs. A socket whose queue is full is tried again until
 * then: somebody listens there, and is behind or hangs.
 * @throws Failure as `request` does, and `stopped`
 */
export async function replyInTime(
  socket: string,
  message: JsonObject,
  options: Omit<CallOptions, 'pingFirst' | 'interim' | 'next' | 'isSingle'>,
): Promise<Reply> {
  const deadline = performance.now() + options.timeoutMs;
  for (let leftMs = options.timeoutMs; ; leftMs = deadline - performance.now()) {
    try {
      const timeoutMs = Math.max(1, leftMs);
      return await replyTo(socket, message, { ...options, timeoutMs, isSingle: true });
    } catch (error) {
      // connect(2)
      if (!(error instanceof Failure) || errorCode(error.cause) !== 'EAGAIN') throw error;
      if (performance.now() >= deadline) throw new Failure('timeout', 'timeout');
      await pause(Math.min(queueRetryMs, deadline - performance.now()), options.stop);
    }
  }
}

/** What a ping found: an answer, silence, or nobody there. */
export type Health = 'ok' | 'silent' | 'absent';

/**
 * Pings the daemon; waits `pingTimeoutMs` at most.
 * @throws Failure `unsafe_folder` / `unsafe_socket`: whoever listens there is not asked
 */
export async function ping(socket: string): Promise<Health> {
  try {
    const { fields } = await replyInTime(socket, { op: 'ping' }, { timeoutMs: pingTimeoutMs });
    return fields.ok === true ? 'ok' : 'silent';
  } catch (error) {
    if (isUnsafePlace(error)) throw error;
    return error instanceof Failure && error.code === 'unreachable' ? 'absent' : 'silent';
  }
}
