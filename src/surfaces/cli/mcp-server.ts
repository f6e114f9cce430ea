import { createRequire } from 'node:module';

/** Loads the server's own bundle, which ends this process when its client disconnects. `require` loads it faster than `import`. */
export function loadMcpServer(): void {
  createRequire(import.meta.url)('./mcp.cjs');
}
