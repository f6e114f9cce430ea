import { createRequire } from 'node:module';

/**
 * Loads the server, a bundle of its own, which serves at once and ends this process when its client has gone. By `require`: the
 * loader of ES modules would look through the whole bundle for exports first.
 */
export function loadMcpServer(): void {
  createRequire(import.meta.url)('./mcp.cjs');
}
