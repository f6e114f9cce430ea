import { type JsonObject, objectAt, stringAt } from '#core/event';
import { errorCode, Failure, isUnsafePlace, pause } from '#core/platform';
import { pingTimeoutMs, pollIntervalMs } from '../limits.ts';
import {
  type Dialogue,
  type ExchangeLimits,
  exchange,
  type Reply,
  requestDialogue,
  singleDialogue,
} from './exchange.ts';
import { closedEarly } from './reply.ts';

// Between attempts to reach a socket whose queue is full.
const queueRetryMs = 50;

export interface CallOptions extends ExchangeLimits {
  /** Sends a ping first, and the request only when that is answered. */
  readonly pingFirst?: boolean;
  /** Takes the lines that come before the reply. */
  readonly interim?: (fields: JsonObject) => void;
}

/**
 * Sends one request and settles with its reply, whatever `ok` says.
 * @throws Failure `unreachable` (nobody listens), `silent` (no answer to the ping), `timeout`, `closed` (the connection ended without a
 * reply), `bad_reply`; `unsafe_folder` and `unsafe_socket` where the socket does not belong to this user only
 */
export async function request(
  socket: string,
  message: JsonObject,
  { pingFirst, interim, ...limits }: CallOptions,
): Promise<JsonObject> {
  const talk = (pingMs: number): Dialogue =>
    requestDialogue(message, pingFirst === true ? pingMs : null, interim);
  const { fields } = await talkTwice(socket, talk, limits);
  return fields;
}

/** `request`, but never sent to a second daemon when the connection ends. */
export async function requestOnce(
  socket: string,
  message: JsonObject,
  limits: ExchangeLimits,
): Promise<JsonObject> {
  return (await talkOnce(socket, requestDialogue(message, null), limits)).fields;
}

/** A dialogue of the caller's own. A connection that ends before any answer is tried again. @throws Failure as `request` does */
export async function converse(
  socket: string,
  first: JsonObject,
  next: Dialogue['next'],
  limits: ExchangeLimits,
): Promise<JsonObject> {
  const talk = (): Dialogue => ({ first, pingMs: null, isUnended: false, next });
  return (await talkTwice(socket, talk, limits)).fields;
}

/** `request`, with a refusal thrown as well. @throws Failure, its code the one on the wire */
export async function call(socket: string, message: JsonObject, options: CallOptions): Promise<JsonObject> {
  const reply = await request(socket, message, options);
  if (reply.ok === true) return reply;
  const error = objectAt(reply, 'error') ?? {};
  throw new Failure(
    stringAt(error, 'code') ?? 'bad_reply',
    stringAt(error, 'message') ?? 'the daemon refused without a reason',
  );
}

/**
 * The first object that arrives in reply, within one deadline that nothing prolongs. A socket whose queue is full has a listener that
 * is slow or hangs: it is tried again until the deadline.
 * @throws Failure as `request` does, and `stopped`
 */
export async function replyInTime(
  socket: string,
  message: JsonObject,
  limits: ExchangeLimits,
): Promise<Reply> {
  const deadline = performance.now() + limits.timeoutMs;
  for (let leftMs = limits.timeoutMs; ; leftMs = deadline - performance.now()) {
    try {
      return await talkOnce(socket, singleDialogue(message), { ...limits, timeoutMs: Math.max(1, leftMs) });
    } catch (error) {
      // connect(2)
      if (!(error instanceof Failure) || errorCode(error.cause) !== 'EAGAIN') throw error;
      if (performance.now() >= deadline) throw new Failure('timeout', 'timeout');
      await pause(Math.min(queueRetryMs, deadline - performance.now()), limits.stop);
    }
  }
}

/** `silent`: something listens and does not answer. `absent`: nothing listens. */
export type Health = 'ok' | 'silent' | 'absent';

/**
 * Pings the daemon; waits `pingTimeoutMs` at most.
 * @throws Failure `unsafe_folder` / `unsafe_socket`: such a socket is not asked
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

async function talkOnce(socket: string, dialogue: Dialogue, limits: ExchangeLimits): Promise<Reply> {
  return (await exchange(socket, dialogue, limits)) ?? closed();
}

/**
 * Connects once more when the connection ends before any answer, unless it was open for longer than a ping may take. A daemon that
 * stops answers the requests it has read, so this one was not read, and the next daemon may listen.
 */
async function talkTwice(
  socket: string,
  talk: (pingMs: number) => Dialogue,
  limits: ExchangeLimits,
): Promise<Reply> {
  const start = performance.now();
  const first = await exchange(socket, talk(pingTimeoutMs), limits);
  if (first !== null) return first;
  // The process that has closed it may listen for a moment more.
  await pause(pollIntervalMs, limits.stop);
  const spentMs = performance.now() - start;
  const timeoutMs = limits.timeoutMs - spentMs;
  const pingMs = pingTimeoutMs - spentMs;
  if (pingMs <= 0 || timeoutMs <= 0) closed();
  return talkOnce(socket, talk(pingMs), { ...limits, timeoutMs });
}

function closed(): never {
  throw new Failure('closed', closedEarly);
}
