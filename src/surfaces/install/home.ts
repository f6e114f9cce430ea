import path from 'node:path';
import { type Environment, homeOf } from '../../core/workspace/index.ts';

/** The folder that an assistant's own variable names, absolute; `fallback` below the home where it names none. */
export function namedFolder(name: string | undefined, fallback: string, env: Environment): string {
  const told = name?.trim();
  if (!told) return path.join(homeOf(env), fallback);
  return path.resolve(told.replace(/^~(?=\/|$)/, homeOf(env)));
}
