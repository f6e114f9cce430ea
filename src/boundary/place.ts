import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, workspaceRoot } from '../workspace/index.ts';
import { readScope, type Scope } from './scope.ts';

/** Where a project's rules stand, and what they say. */
export interface Ground {
  /** The folders that globs are relative to; the workspace's first. */
  readonly roots: readonly string[];
  /** The scope file in force, or the one that would be. */
  readonly file: string;
  readonly scope: Scope;
  readonly home: string;
}

/** The project's own file for rules. */
export function scopeFile(root: string): string {
  return path.join(root, '.memd', 'scope.json');
}

/**
 * The rules for whoever works in `folder`: those of its workspace, or of the linked working tree itself where the
 * workspace has none.
 * @throws Failure `no_workspace`
 */
export function findGround(env: Environment, folder: string): Ground {
  const told = env.HOME || os.homedir();
  // Whatever HOME is, the rules hold.
  const home = path.isAbsolute(told) ? told : os.userInfo().homedir;
  const root = workspaceRoot({ cwd: folder, home, projectDir: env.CLAUDE_PROJECT_DIR });
  const tree = workingTree(env.CLAUDE_PROJECT_DIR || folder, home);
  const roots = [...new Set([root, ...(tree === null ? [] : [tree])])];
  const found = roots
    .map((one) => ({ file: scopeFile(one), scope: readScope(scopeFile(one)) }))
    .find(({ scope }) => scope.state !== 'off');
  return { roots, home, ...(found ?? { file: scopeFile(root), scope: { state: 'off' } }) };
}

/** The top of the linked git working tree that `start` lies in; null where there is none. */
function workingTree(start: string, home: string): string | null {
  let folder = fs.realpathSync.native(start);
  while (folder !== path.dirname(folder) && folder !== home) {
    const stat = fs.lstatSync(path.join(folder, '.git'), { throwIfNoEntry: false });
    if (stat !== undefined) return stat.isFile() ? folder : null;
    folder = path.dirname(folder);
  }
  return null;
}
