import { createServer, type Server, type Socket } from 'node:net';
import { connectionsMax } from '../limits.ts';
import { socketAddress } from '../platform/index.ts';
import { Connection } from './connection.ts';
import type { Handler } from './protocol.ts';

export interface RpcServer {
  /** Stops listening, removes the socket file, answers what is under way and ends every connection. */
  close(): Promise<void>;
}

export interface RpcServerOptions {
  readonly socket: string;
  readonly handle: Handler;
  /** Told of what a handler threw that is not a refusal. */
  readonly internal: (error: unknown) => void;
}

/** Listens on a Unix socket. The folder's mode keeps other users out; the file's does so too. */
export async function serve({ socket, handle, internal }: RpcServerOptions): Promise<RpcServer> {
  const connections = new Set<Connection>();
  const server = createServer({ allowHalfOpen: true }, (client: Socket) => {
    if (connections.size >= connectionsMax) closeLongestIdle(connections);
    const connection = new Connection(client, handle, internal);
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
  });
  const { address, release } = socketAddress(socket);
  await listen(server, address);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          release();
          resolve();
        });
        for (const connection of connections) connection.finish();
      }),
  };
}

/** Idlers never lock a hook out; when none is idle the new one waits for the system's own limits. */
function closeLongestIdle(connections: ReadonlySet<Connection>): void {
  let longest: Connection | null = null;
  for (const connection of connections) {
    if (connection.idle && (longest === null || connection.lastActive < longest.lastActive)) {
      longest = connection;
    }
  }
  longest?.close();
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
