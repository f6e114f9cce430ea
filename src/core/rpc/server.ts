import { createServer, type Server, type Socket } from 'node:net';
import { connectionsMax, homeCheckMs, largeFramesBytesMax, refusedLingerMs } from '../limits.ts';
import { lstatIfThere, socketAddress } from '../platform/index.ts';
import { Connection } from './connection.ts';
import { FrameBudget } from './frame-bytes.ts';
import { encodeLine, errorReply, type Handler, type LargeHandler } from './protocol.ts';
import { Turns } from './turns.ts';

export interface RpcServer {
  /** Stops listening, removes the socket file, answers what is under way and ends every connection. */
  close(): Promise<void>;
}

export interface RpcServerOptions {
  readonly socket: string;
  readonly handle: Handler;
  readonly large: LargeHandler;
  /** Told of what a handler threw that is not a refusal. */
  readonly internal: (error: unknown) => void;
  /** Whether the socket's folder is still that of this server; else it makes no socket there when its own is gone. */
  readonly isHome?: () => boolean;
  /** Told when the socket file had gone and there is a new one. */
  readonly reopened?: () => void;
  /** How often that is looked for. */
  readonly checkMs?: number;
}

/**
 * Listens on a Unix socket, and anew when its file has been removed: nobody could reach it any more. The folder's mode keeps other
 * users out; the file's does so too, from its first moment.
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
    if (connections.size >= connectionsMax && !closeLongestIdle(connections)) {
      // One that goes while it is refused is as good.
      client.on('error', () => {});
      client.end(encodeLine(errorReply('busy', `all ${connectionsMax} connections are at work`)));
      client.resume();
      setTimeout(() => client.destroy(), refusedLingerMs).unref();
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
    // Out of descriptors, for one: the connection is lost, the daemon is not.
    server.on('error', does.internal);
    return server;
  };
  const servers = [await open()];
  const closings: Promise<void>[] = [];
  const closeAll = (): void => void closings.push(...servers.splice(0).map(closed));
  const reopen = async (): Promise<void> => {
    // What stands in its place, if anything does, is somebody else's.
    if (lstatIfThere(socket) !== null || does.isHome?.() === false) return;
    // Before there is another: a server that closes takes away the file at its path. Those connected to it stay so.
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

/** Settles when all who were connected to it have gone. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}

/**
 * Idlers never lock a hook out, nor do subscribers that have gone: to us those look half-closed until something is
 * written. False when every connection is at work for somebody.
 */
function closeLongestIdle(connections: Set<Connection>): boolean {
  const byQuiet = [...connections].sort((a, b) => a.lastActive - b.lastActive);
  const longest = byQuiet.find((one) => one.idle) ?? byQuiet.find((one) => one.halfClosed);
  if (longest === undefined) return false;
  // `close` comes later; until then the next newcomer must not choose it again.
  connections.delete(longest);
  longest.close();
  return true;
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The mode is taken from the umask at bind: between bind and a chmod the socket would be open.
    const umask = process.umask(0o177);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
    process.umask(umask);
  });
}
