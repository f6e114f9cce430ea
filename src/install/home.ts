import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../workspace/index.ts';

/** The user's home, as the assistants find it. */
export function homeOf(env: Environment): string {
  return env.HOME || os.homedir();
}

/** The folder that an assistant's own variable names, absolute; `fallback` below the home where it names none. */
export function namedFolder(name: string | undefined, fallback: string, env: Environment): string {
  const told = name?.trim();
  if (!told) return path.join(homeOf(env), fallback);
  return path.resolve(told.replace(/^~(?=\/|$)/, homeOf(env)));
}
