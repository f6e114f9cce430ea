import path from 'node:path';
import { wordsOf } from './hooks.ts';
import type { Programs } from './programs.ts';

/** The name of our server in every client's settings; the names of its tools are made of it. */
export const serverName = 'memd';

/** What runs `memd mcp`. */
export function serverWords({ node, dist }: Programs): readonly [string, ...string[]] {
  return [node, path.join(dist, 'memd.cjs'), 'mcp'];
}

/** Whether a server's entry is ours: it runs `memd mcp`, by whatever path. */
export function isOwnServer(entry: unknown): boolean {
  const words = wordsOf(entry);
  const [name = ''] = words.slice(-2);
  if (words.at(-1) === 'mcp' && /(?:^|\/)memd(?:\.[cm]js)?$/.test(name)) return true;
  return /\/dist\/mcp\.cjs$/.test(words.at(-1) ?? '');
}
