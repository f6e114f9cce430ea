import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { lstatIfThere, openFilesLeft, socketAddress } from '#core/platform';
import { connectionsMax, homeCheckMs, largeFramesBytesMax, refusedLingerMs } from '../limits.ts';
import { Connection } from './connection.ts';
import { FrameBudget } from './frame-bytes.ts';
import { encodeLine, errorReply, type Handler, type LargeHandler } from './protocol.ts';
import { Turns } from './turns.ts';

// Below the limit of open files, for threads, the page and child processes.
const openFilesKept = 8;
// So many connections are taken in any case.
const connectionsMin = 4;

export interface RpcServer {
  /** Stops listening, removes the socket file, answers running requests and ends every connection. */
  close(): Promise<void>;
}

export interface RpcServerOptions {
  readonly socket: string;
  readonly handle: Handler;
  readonly large: LargeHandler;
  /** Takes what a handler threw that is not a refusal. */
  readonly internal: (error: unknown) => void;
  /** Whether the socket's folder is still the one of the start; if not, no new socket is made in it. */
  readonly isHome?: () => boolean;
  /** Called when a removed socket file was replaced by a new one. */
  readonly reopened?: () => void;
  /** Called when the limit of open files, not `connectionsMax`, makes a newcomer take another connection's place. */
  readonly shortOfFiles?: () => void;
  /** How often the socket file is checked. */
  readonly checkMs?: number;
}

/**
 * Listens on a Unix socket, and makes a new one when its file was removed. The modes of folder and file keep other users out, from the
 * first moment.
 */
export async function serve({
  socket,
  checkMs = homeCheckMs,
  ...does
}: RpcServerOptions): Promise<RpcServer> {
  const connections = new Set<Connection>();
  const budget = new FrameBudget(largeFramesBytesMax);
  const turns = new Turns();
  const accept = (client: Socket): void => {
    // Without a free descriptor, the system would drop each new connection before anybody sees it.
    const isShort = connections.size >= connectionsMin && openFilesLeft() < openFilesKept;
    if (isShort) does.shortOfFiles?.();
    const isFull = isShort || connections.size >= connectionsMax;
    if (isFull && !closeLongestIdle(connections)) {
      refuse(client, isShort ? 0 : refusedLingerMs, connections.size);
      return;
    }
    const connection = new Connection(client, { ...does, budget, turns });
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
  };
  const { address, release } = socketAddress(socket);
  const open = async (): Promise<Server> => {
    const server = createServer({ allowHalfOpen: true }, accept);
    await listen(server, address);
    // For example out of descriptors: that costs the connection, not the daemon.
    server.on('error', does.internal);
    return server;
  };
  const servers = [await open()];
  const closings: Promise<void>[] = [];
  const closeAll = (): void => void closings.push(...servers.splice(0).map(closed));
  const reopen = async (): Promise<void> => {
    // A file at its path is not ours.
    if (lstatIfThere(socket) !== null || does.isHome?.() === false) return;
    // Before opening another: a closing server removes the file at its path. Its connections stay open.
    closeAll();
    servers.push(await open());
    does.reopened?.();
  };
  let look = Promise.resolve();
  const timer = setInterval(() => {
    look = look.then(reopen).catch(does.internal);
  }, checkMs);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await look;
      closeAll();
      for (const connection of connections) connection.finish();
      await Promise.all(closings);
      release();
    },
  };
}

function refuse(client: Socket, lingerMs: number, inUse: number): void {
  // An error after the refusal does not matter.
  client.on('error', () => {});
  client.end(encodeLine(errorReply('busy', `all ${inUse} connections are in use. Try again.`)));
  client.resume();
  setTimeout(() => client.destroy(), lingerMs).unref();
}

/** Settles when all its connections have ended. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/**
 * Makes room for a hook: idle connections go first, then half-closed ones, which may be subscribers that have ended. False when all
 * connections are in use.
 */
function closeLongestIdle(connections: Set<Connection>): boolean {
  const byQuiet = [...connections].sort((a, b) => a.lastActive - b.lastActive);
  const longest = byQuiet.find((one) => one.idle) ?? byQuiet.find((one) => one.halfClosed);
  if (longest === undefined) return false;
  // `close` comes later; until then it must not be chosen again.
  connections.delete(longest);
  longest.close();
  return true;
}

/** Listens on a Unix socket that is closed to other users from its first moment. */
export async function listen(server: Server, address: string): Promise<void> {
  const listening = once(server, 'listening');
  // The umask sets the mode at bind: before a later chmod the socket would be open to others.
  const umask = process.umask(0o177);
  server.listen(address);
  process.umask(umask);
  await listening;
}
