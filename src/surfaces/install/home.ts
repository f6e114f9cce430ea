import path from 'node:path';
import { type Environment, homeOf } from '../../core/workspace/index.ts';

/** The folder that an assistant's environment variable names, or `fallback` below the home. */
export function namedFolder(name: string | undefined, fallback: string, env: Environment): string {
  const folder = name?.trim();
  if (!folder) return path.join(homeOf(env), fallback);
  return path.resolve(folder.replace(/^~(?=\/|$)/, homeOf(env)));
}
