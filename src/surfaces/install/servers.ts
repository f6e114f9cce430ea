import path from 'node:path';
import { wordsOf } from './hooks.ts';
import type { Programs } from './programs.ts';

/** Our server's name in every client's settings. Clients derive the names of its tools from it. */
export const serverName = 'memd';

export function serverWords({ node, dist }: Programs): readonly [string, ...string[]] {
  return [node, path.join(dist, 'memd.cjs'), 'mcp'];
}

/** Whether an entry runs `memd mcp`, by any path. */
export function isOwnServer(entry: unknown): boolean {
  const words = wordsOf(entry);
  const [name = ''] = words.slice(-2);
  if (words.at(-1) === 'mcp' && /(?:^|\/)memd(?:\.[cm]js)?$/.test(name)) return true;
  return /\/dist\/mcp\.cjs$/.test(words.at(-1) ?? '');
}
