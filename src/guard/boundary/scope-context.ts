import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { orElse } from '#core/platform';
import { type Environment, workspaceRoot } from '#core/workspace';
import { readScope, type Scope } from './scope.ts';

/** The rules of a project and what they apply to. */
export interface ScopeContext {
  /** The folders that globs are relative to; the workspace's first. */
  readonly roots: readonly string[];
  /** The scope file in force, or the path where it would be. */
  readonly file: string;
  readonly scope: Scope;
  readonly home: string;
  /** The rules of the folders above, which hold as well. */
  readonly around: readonly ScopeContext[];
}

/** A context whose rules are in force. */
export interface EnforcedScope extends ScopeContext {
  readonly scope: Scope & { state: 'on' };
}

export function isEnforced(context: ScopeContext): context is EnforcedScope {
  return context.scope.state === 'on';
}

export function scopeFile(root: string): string {
  return path.join(root, '.memd', 'scope.json');
}

/**
 * The rules for a tool that works in `folder`: those of its workspace, else of its linked working tree. `around` has the rules of
 * every folder above, which a nested repository does not switch off.
 * @throws Failure `no_workspace`
 */
export function findScopeContext(env: Environment, folder: string): ScopeContext {
  const given = env.HOME || os.homedir();
  // The rules hold with any HOME.
  const home = path.isAbsolute(given) ? given : os.userInfo().homedir;
  const start = env.CLAUDE_PROJECT_DIR || folder;
  const root = workspaceRoot({ cwd: folder, home, projectDir: env.CLAUDE_PROJECT_DIR });
  const tree = workingTree(start, home);
  const roots = [...new Set([root, ...(tree === null ? [] : [tree])])];
  const own = roots
    .map((one) => ({ file: scopeFile(one), scope: readScope(scopeFile(one)) }))
    .find(({ scope }) => scope.state !== 'off');
  const above = scopesAbove(fs.realpathSync.native(start), home);
  const [nearest] = above;
  const mine: ScopeContext | undefined = own === undefined ? nearest : { roots, home, ...own, around: [] };
  if (mine === undefined) return { roots, home, file: scopeFile(root), scope: { state: 'off' }, around: [] };
  return { ...mine, around: above.filter(({ file }) => file !== mine.file) };
}

/**
 * The rules of `folder` and of every folder above it, the nearest first. Those of HOME and above count only for a call that
 * starts there; those of a world-writable folder (`/tmp`) never count.
 */
export function scopesAbove(folder: string, home: string): readonly ScopeContext[] {
  const found: ScopeContext[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    if (at === home && at !== folder) return found;
    // Most folders have none, and a check is faster than a failed open.
    if (fs.existsSync(path.join(at, '.memd')) && !isForEverybody(at)) {
      const file = scopeFile(at);
      const scope = readScope(file);
      if (scope.state !== 'off') found.push({ roots: [at], file, scope, home, around: [] });
    }
    if (at === home || at === path.dirname(at)) return found;
  }
}

function isForEverybody(folder: string): boolean {
  return ((statIfSeen(folder)?.mode ?? 0) & 0o1002) === 0o1002;
}

/** Null for what is missing, a cycle of links, an invalid name, and what is closed to this process, and so to the tool. */
export function statIfSeen(location: string): fs.Stats | null {
  return orElse(() => fs.statSync(location, { throwIfNoEntry: false }) ?? null, null);
}

/** The top of the linked git working tree around `start`, or null. */
function workingTree(start: string, home: string): string | null {
  const top = repositoryTop(fs.realpathSync.native(start), home);
  return top !== null && fs.lstatSync(path.join(top, '.git')).isFile() ? top : null;
}

/** The top of the git repository around `folder` and below `end`, or null. */
export function repositoryTop(folder: string, end = ''): string | null {
  for (let at = folder; at !== end; at = path.dirname(at)) {
    if (fs.existsSync(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return null;
  }
  return null;
}
