import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { isObject } from '#core/event';
import { dist, type Home } from './home.ts';
import { TestClient } from './mcp/client.ts';

/** What an assistant starts. */
export const memdScript = path.join(dist, 'memd.cjs');

export interface McpServer {
  readonly client: TestClient;
  readonly child: ChildProcess;
  readonly stderr: () => string;
  /** Its exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

const servers: McpServer[] = [];

/** `memd mcp` in a home's project, with a client. */
export function connect(
  home: Home,
  { cwd = home.project, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): McpServer {
  const child = spawn(process.execPath, [memdScript, 'mcp'], { cwd, env: home.env(env) });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  // A server that has ended reads no more.
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const server = { client: new TestClient(child.stdin, child.stdout), child, stderr: () => stderr, ended };
  servers.push(server);
  return server;
}

/** For `afterEach`: every client leaves, and every server must end by that. */
export async function closeServers(): Promise<void> {
  for (const { client, ended } of servers.splice(0)) {
    client.end();
    await ended;
  }
}

/** The ids of a list of memories. */
export function idsOf(list: unknown): unknown[] {
  return Array.isArray(list) ? list.map((one) => (isObject(one) ? one.id : null)) : [];
}
