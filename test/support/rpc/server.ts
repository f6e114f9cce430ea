import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type JsonObject, stringAt } from '#core/event';
import { parseRequest } from '../../../src/core/rpc/parse.ts';
import {
  type Handler,
  type LargeHandler,
  type RequestContext,
  refusal,
} from '../../../src/core/rpc/protocol.ts';
import { type RpcServer, type RpcServerOptions, serve } from '../../../src/core/rpc/server.ts';

/** A server with ops that tests can hold up, in a folder of its own. */
export interface TestServer {
  readonly folder: string;
  readonly socket: string;
  readonly server: RpcServer;
  /** What handlers threw that is no refusal. */
  readonly failures: unknown[];
  /** Requests with `op: "hold"` wait here until the test lets them go. */
  readonly held: (() => void)[];
  /** Another server with the same ops; `more` as for `serve`. */
  another(socket: string, more?: Partial<RpcServerOptions>): Promise<RpcServer>;
  remove(): Promise<void>;
}

type Op = (message: JsonObject, context: RequestContext) => Promise<JsonObject>;

function opsWith(held: (() => void)[]): Readonly<Record<string, Op>> {
  return {
    ping: async () => ({}),
    echo: async (message) => ({ text: message.text ?? null }),
    long: async (message) => ({ text: 'x'.repeat(Number(message.chars)) }),
    hold: async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return { held: true };
    },
    'until-gone': async (_message, { interim, signal }) => {
      // Half-closed and gone look the same until something is written.
      while (!signal.aborted) {
        interim({ more: true });
        await new Promise((resolve) => setImmediate(resolve));
      }
      held.push(() => {});
      return {};
    },
    count: async (_message, { interim }) => {
      for (let at = 1; at <= 3; at += 1) interim({ at });
      return { done: true };
    },
    refuse: async () => {
      throw refusal('busy', 'not now');
    },
    own: async () => {
      throw Object.assign(refusal('unavailable', 'no disk'), { code: 'no_disk' });
    },
    break: async () => {
      throw new TypeError('secret detail');
    },
  };
}

export async function newServer(): Promise<TestServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-rpc-'));
  const socket = path.join(folder, 'memd.sock');
  const failures: unknown[] = [];
  const held: (() => void)[] = [];
  const ops = opsWith(held);
  const handle: Handler = async (message, context) => {
    const op = ops[stringAt(message, 'op') ?? ''];
    if (op === undefined) throw refusal('unknown_op', 'unknown');
    return op(message, context);
  };
  const large: LargeHandler = async (frame, received) => {
    const message = parseRequest(Buffer.from(frame));
    if (message.rid !== undefined) received(message.rid);
    if (message.op === 'hold') await new Promise<void>((resolve) => held.push(resolve));
    if (message.op === 'refuse') throw refusal('too_large', 'not so much');
    if (message.op === 'break') throw new TypeError('secret detail');
    if (message.op === 'echo') return { request: { op: 'echo', text: 'small now' } };
    return { reply: { bytes: frame.length } };
  };
  const internal = (error: unknown): void => void failures.push(error);
  const server = await serve({ socket, handle, large, internal });
  const another: TestServer['another'] = (socket, more) =>
    serve({ socket, handle, large, internal, ...more });
  const remove = async (): Promise<void> => {
    for (const release of held) release();
    await server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  return { folder, socket, server, failures, held, another, remove };
}

/** A server in that folder that is not memd. */
export async function strangeAt(
  folder: string,
  answer: (client: net.Socket) => void,
): Promise<{ at: string; close: () => void }> {
  const at = path.join(folder, 'strange.sock');
  const open = new Set<net.Socket>();
  const other = net.createServer((client) => {
    open.add(client);
    client.on('error', () => {});
    client.resume();
    answer(client);
  });
  await new Promise<void>((resolve) => other.listen(at, resolve));
  fs.chmodSync(at, 0o600);
  const close = (): void => {
    for (const client of open) client.destroy();
    other.close();
  };
  return { at, close };
}

/** Sends bytes, then ends its half when received so; settles with all that came back until the other side ended. */
export function exchange(
  socket: string,
  bytes: string | Buffer,
  { half = true } = {},
): Promise<JsonObject[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const client = net.connect({ path: socket, allowHalfOpen: true });
    client.on('data', (chunk) => chunks.push(chunk));
    client.on('error', reject);
    client.on('end', () => {
      client.end();
      const lines = Buffer.concat(chunks).toString('utf8').split('\n').filter(Boolean);
      resolve(lines.map((line) => JSON.parse(line)));
    });
    if (half) client.end(bytes);
    else client.write(bytes);
  });
}

/** Settles when the condition holds; the runner's own limit ends a wait for what never comes. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
