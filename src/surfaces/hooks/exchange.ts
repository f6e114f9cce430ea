import { connect } from 'node:net';
import type { JsonObject } from '#core/event';
import { frameBytesMax } from '#core/limits';
import { errorCode, Failure, messageOf, privateSocketAddress } from '#core/platform';
import { closedEarly, parseReply, replyTooLong } from '#core/rpc';

/** Sends the request's line, also before the connection is open. `sent`: the system has taken all of it. */
export type Send = (line: string, sent?: () => void) => void;

/**
 * One request and one reply over the daemon's socket: `rpc`'s client without the parts that cost time at every tool call (promises,
 * interim lines, timers). Calls `replied` or `failed` at most once, never before this function has returned; the exit closes the socket.
 * A socket that does not belong to this user only is refused before anything is sent.
 */
export function openExchange(
  socket: string,
  replied: (reply: JsonObject) => void,
  failed: (reason: string) => void,
): Send {
  let settled = false;
  const fail = (reason: string): void => {
    if (settled) return;
    settled = true;
    failed(reason);
  };
  const unreachable = (error: unknown): void =>
    fail(error instanceof Failure ? error.message : `connect ${errorCode(error) ?? messageOf(error)}`);
  let address: string;
  try {
    ({ address } = privateSocketAddress(socket));
  } catch (error) {
    process.nextTick(unreachable, error);
    return () => {};
  }
  const client = connect(address);
  const chunks: Buffer[] = [];
  let bytes = 0;
  client.on('error', unreachable);
  client.on('close', () => fail(closedEarly));
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > frameBytesMax) return fail(replyTooLong);
    if (settled || chunk[chunk.length - 1] !== lineFeed) return;
    const reply = parseReply(Buffer.concat(chunks).toString('utf8'));
    if (typeof reply === 'string') return fail(reply);
    settled = true;
    replied(reply);
  });
  return (line, sent) =>
    void client.write(line, (error) => {
      if (error === null || error === undefined) sent?.();
    });
}

const lineFeed = 0x0a;
