import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, workspaceRoot } from '../../core/workspace/index.ts';
import { readScope, type Scope } from './scope.ts';

/** Where a project's rules stand, and what they say. */
export interface ScopeContext {
  /** The folders that globs are relative to; the workspace's first. */
  readonly roots: readonly string[];
  /** The scope file in force, or the one that would be. */
  readonly file: string;
  readonly scope: Scope;
  readonly home: string;
  /** Further rules that hold in the same folder, those of the folders around it. */
  readonly around: readonly ScopeContext[];
}

/** A ground whose rules are in force. */
export interface RuledGround extends ScopeContext {
  readonly scope: Scope & { state: 'on' };
}

export function isRuled(context: ScopeContext): context is RuledGround {
  return context.scope.state === 'on';
}

/** The project's own file for rules. */
export function scopeFile(root: string): string {
  return path.join(root, '.memd', 'scope.json');
}

/**
 * The rules for whoever works in `folder`: those of its workspace, or of the linked working tree itself where the
 * workspace has none; and `around` them those of every folder above, which a repository inside of another does not switch off.
 * @throws Failure `no_workspace`
 */
export function findScopeContext(env: Environment, folder: string): ScopeContext {
  const told = env.HOME || os.homedir();
  // Whatever HOME is, the rules hold.
  const home = path.isAbsolute(told) ? told : os.userInfo().homedir;
  const start = env.CLAUDE_PROJECT_DIR || folder;
  const root = workspaceRoot({ cwd: folder, home, projectDir: env.CLAUDE_PROJECT_DIR });
  const tree = workingTree(start, home);
  const roots = [...new Set([root, ...(tree === null ? [] : [tree])])];
  const own = roots
    .map((one) => ({ file: scopeFile(one), scope: readScope(scopeFile(one)) }))
    .find(({ scope }) => scope.state !== 'off');
  const above = groundsAbove(fs.realpathSync.native(start), home);
  const [nearest] = above;
  const mine: ScopeContext | undefined = own === undefined ? nearest : { roots, home, ...own, around: [] };
  if (mine === undefined) return { roots, home, file: scopeFile(root), scope: { state: 'off' }, around: [] };
  return { ...mine, around: above.filter(({ file }) => file !== mine.file) };
}

/**
 * The rules of `folder` and of every folder above it, the nearest first; not those of HOME or above, unless it begins there,
 * nor of a folder where everybody may write (`/tmp`): what stands there is not a project.
 */
export function groundsAbove(folder: string, home: string): readonly ScopeContext[] {
  const found: ScopeContext[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    if (at === home && at !== folder) return found;
    // Most folders have none, and to open what is not there takes longer than to ask for it.
    if (fs.existsSync(path.join(at, '.memd')) && !isForEverybody(at)) {
      const file = scopeFile(at);
      const scope = readScope(file);
      if (scope.state !== 'off') found.push({ roots: [at], file, scope, home, around: [] });
    }
    if (at === home || at === path.dirname(at)) return found;
  }
}

function isForEverybody(folder: string): boolean {
  try {
    return (fs.statSync(folder).mode & 0o1002) === 0o1002;
  } catch {
    // Gone, a loop of links, or no name at all: its rules could not be read either.
    return false;
  }
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

/** The top of the git repository around `folder`; null where there is none. */
export function repositoryTop(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
}
