import { connect } from 'node:net';
import { isObject, type JsonObject, own, parseObject, stringAt } from '../event/index.ts';
import { healthErrorCharsMax, queueRetryMs } from '../limits.ts';
import { errorCode, isUnsafePlace, messageOf, privateSocketAddress } from '../platform/index.ts';

export interface ExchangeLimits {
  /** For all of it, from the first step to the last byte of the reply. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Gives up at once. */
  readonly stop: AbortSignal;
}

/** A reply with `"ok":true`, also as it came; or why there is none, in a few words (`timeout`, `connect ENOENT`, ...). */
export type Exchanged =
  | { readonly ok: true; readonly reply: JsonObject; readonly text: string }
  | { readonly ok: false; readonly error: string };

/**
 * One request and one reply over the daemon's socket. Never rejects. Not `rpc`'s client: what is measured here is whether an
 * answer is whole within one deadline that nothing prolongs, and its raw text is kept.
 */
export function exchange(socket: string, message: JsonObject, limits: ExchangeLimits): Promise<Exchanged> {
  return new Promise((resolve) => {
    let settled = false;
    let close = (): void => {};
    const settle = (result: Exchanged): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      limits.stop.removeEventListener('abort', stopped);
      close();
      resolve(result);
    };
    const fail = (error: string): void => settle({ ok: false, error });
    const stopped = (): void => fail('stopped');
    const timer = setTimeout(() => fail('timeout'), limits.timeoutMs);
    limits.stop.addEventListener('abort', stopped);
    if (limits.stop.aborted) return stopped();
    const attempt = (): void => {
      try {
        close = open(socket, message, limits.bytesMax, { settle, fail, retry });
      } catch (error) {
        fail(connectError(error));
      }
    };
    const retry = (): void => {
      if (settled) return;
      close();
      const again = setTimeout(attempt, queueRetryMs);
      close = () => clearTimeout(again);
    };
    attempt();
  });
}

interface Ends {
  readonly settle: (result: Exchanged) => void;
  readonly fail: (error: string) => void;
  /** Nobody has taken those who wait already: that is one who does not answer, and no error of the connection yet. */
  readonly retry: () => void;
}

/** Answers with what closes the connection. */
function open(
  socket: string,
  message: JsonObject,
  bytesMax: number,
  { settle, fail, retry }: Ends,
): () => void {
  const { address, release } = privateSocketAddress(socket);
  const client = connect(address);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isConnected = false;
  client.once('connect', () => {
    isConnected = true;
  });
  client.on('error', (error) => {
    if (isConnected) return fail('closed without a reply');
    // unix(7): the queue of the socket is full.
    if (errorCode(error) === 'EAGAIN') return retry();
    return fail(connectError(error));
  });
  client.on('end', () => fail('closed without a reply'));
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) return fail('the reply is too long');
    const result = judge(Buffer.concat(chunks).toString('utf8'));
    if (result !== null) settle(result);
  });
  client.write(`${JSON.stringify(message)}\n`);
  return () => {
    client.destroy();
    release();
  };
}

/** What has come so far: a reply, what cannot become one, or null while there may be more. */
function judge(soFar: string): Exchanged | null {
  const [text = '', ...rest] = soFar.split('\n');
  const isLine = rest.length > 0;
  // Whole JSON counts without its newline as well.
  if (!isLine && !text.trimEnd().endsWith('}')) return null;
  // Null: there is more to come, or whatever listens there is not memd.
  const reply = parseObject(text);
  if (reply === null) return isLine ? { ok: false, error: 'the reply is not a JSON object' } : null;
  if (reply.ok === true) return { ok: true, reply, text: text.trim() };
  return { ok: false, error: refusalOf(reply) };
}

function refusalOf(reply: JsonObject): string {
  const error = own(reply, 'error');
  const code = isObject(error) ? stringAt(error, 'code') : undefined;
  // Who answers need not be memd: its words are not passed on.
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? `refused: ${code}` : 'refused';
}

/** `connect ENOENT`; a path that the platform cannot reach has no socket at its end either. A place that is refused is told whole. */
function connectError(error: unknown): string {
  const code = errorCode(error);
  if (isUnsafePlace(error)) return messageOf(error).slice(0, healthErrorCharsMax);
  if (code === 'path_too_long') return 'connect ENAMETOOLONG';
  return `connect ${code ?? messageOf(error).slice(0, 200)}`;
}
