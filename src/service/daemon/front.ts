import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Intake } from '#capture/intake';
import { captureInlineBytesMax, frameBytesMax, largeFramesBytesMax } from '#core/limits';
import {
  Failure,
  isUnsafePlace,
  messageOf,
  privateSocketAddress,
  socketAddress,
  writeWhole,
} from '#core/platform';
import { frameOf, listen, parseRequest, type RequestFrame } from '#core/rpc';
import { frontOf } from '#core/workspace';
import type { placesOf } from './places.ts';
import type { StartContext } from './start-context.ts';

const frontRequestMs = 10_000;

interface FrontOptions extends StartContext {
  readonly intake: Intake;
  readonly places: ReturnType<typeof placesOf>;
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
}

export type Front = Awaited<ReturnType<typeof openFront>>;

/** What a hook sends, separated by NUL, which no path and no JSON holds. */
const fieldNames = ['client', 'attempt', 'cwd', 'place'] as const;
/** The script waits this share of the budget for an answer; the rest is for what it does without one. */
const waitShare = 0.5;
const budgetShare = 0.92;
/** A hook that stalls must not keep the daemon from its end: `memd stop` waits 10 s. */
const closeLingerMs = 2_000;
const statuses: Readonly<Record<string, number>> = { bad_request: 400, too_large: 413, elsewhere: 409 };

/** The answers to a stored call, and to a message or what is not captured. The script tells them apart by their lengths. */
const answers = { call: '{"ok":true}', other: '{"ok":true,"silent":true}' };

/**
 * Takes captures by HTTP on a Unix socket of its own: `capture-observation.sh` posts them with `curl`, without a start of Node. With any
 * other status than 200 the hook goes on without this daemon.
 * The folder is sticky: even if it is opened, nobody else can replace a socket of this user in it. So the script needs no look at modes.
 */
export async function openFront(options: FrontOptions) {
  const { workspace, logger, config } = options;
  const folder = frontOf(workspace);
  const socket = path.join(folder, 's');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  fs.chmodSync(folder, 0o1700);
  const held = { bytes: 0 };
  const server = http.createServer(
    { requestTimeout: frontRequestMs, connectionsCheckingInterval: frontRequestMs / 2 },
    (request, response) => {
      answer(request, held, options).then(
        ({ status, text = '' }) => response.writeHead(status, { 'content-length': text.length }).end(text),
        (error: unknown) => {
          logger.error({ err: error }, 'a request of a hook failed');
          response.writeHead(500).end();
        },
      );
    },
  );
  const { address, release } = socketAddress(socket);
  await listen(server, address);
  const seconds = (share: number): string => ((config.captureObservationBudgetMs * share) / 1_000).toFixed(3);
  writeWhole(path.join(folder, 'wait'), `${seconds(waitShare)} ${seconds(budgetShare)}\n`);
  return {
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), closeLingerMs).unref();
      await closed;
      fs.rmSync(folder, { recursive: true, force: true });
      release();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text?: string;
}

async function answer(
  request: http.IncomingMessage,
  held: { bytes: number },
  options: FrontOptions,
): Promise<Answer> {
  if (request.method !== 'POST' || request.url !== '/capture') return { status: 404 };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const piece: Buffer = chunk;
      bytes += piece.length;
      held.bytes += piece.length;
      if (bytes > frameBytesMax) return { status: 413 };
      if (held.bytes > largeFramesBytesMax) return { status: 503 };
      chunks.push(piece);
    }
    return { status: 200, text: await options.during(() => take(Buffer.concat(chunks), options)) };
  } catch (error) {
    if (request.destroyed && !request.complete) return { status: 400 };
    if (isUnsafePlace(error)) return { status: 403 };
    if (error instanceof Failure) return { status: statuses[error.code] ?? 503 };
    throw error;
  } finally {
    held.bytes -= bytes;
  }
}

/** @throws Failure */
async function take(body: Buffer, { workspace, intake, places }: FrontOptions): Promise<string> {
  // A folder that others may enter, or a socket that was replaced, is refused by every client.
  privateSocketAddress(workspace.socket).release();
  const { fields, payload } = split(body);
  if (!places.isOurs(fields.place ?? '')) throw new Failure('elsewhere', 'the folder is of another project');
  const kind = await intake.captureFrame(captureFrame(fields, payload));
  return kind === 'call' ? answers.call : answers.other;
}

function split(body: Buffer): { readonly fields: Record<string, string>; readonly payload: Buffer } {
  const fields: Record<string, string> = {};
  let from = 0;
  for (const name of fieldNames) {
    const to = body.indexOf(0, from);
    if (to < 0) throw new Failure('bad_request', `${name} is missing`);
    const text = body.toString('utf8', from, to);
    if (text !== '') fields[name] = text;
    from = to + 1;
  }
  return { fields, payload: body.subarray(from) };
}

/** The request that the hook would send by the other socket. */
function captureFrame(fields: Readonly<Record<string, string>>, payload: Buffer): RequestFrame {
  const { client, attempt, cwd } = fields;
  // A large one is parsed once, by the thread for it.
  if (payload.length <= captureInlineBytesMax) parseRequest(payload);
  const known = { op: 'capture', client, attempt, cwd, receivedAt: new Date().toISOString() };
  // Behind the payload: of two fields with one name the last counts.
  const tail = `,${JSON.stringify(known).slice(1)}`;
  return frameOf(Buffer.concat([Buffer.from('{"payload":'), payload, Buffer.from(tail)]));
}

/** Opens it, or reports why hooks do without. */
export async function openFrontOrNone(options: FrontOptions): Promise<Front> {
  try {
    return await openFront(options);
  } catch (error) {
    options.logger.warn({ error: messageOf(error) }, 'hooks reach this daemon by Node only');
    return { close: () => Promise.resolve() };
  }
}
