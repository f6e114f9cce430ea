import fs from 'node:fs';
import path from 'node:path';
import { pathCharsMax } from '#core/limits';
import { Failure, orElse } from '#core/platform';
import { patchNames } from './patch-names.ts';
import type { Denial } from './path-policy.ts';
import { Policies } from './policies.ts';
import { readPlainFile } from './scope.ts';
import type { ScopeContext } from './scope-context.ts';
import type { CwdCandidates, Target } from './target.ts';
import { below, expand, isFolder } from './trees.ts';
import { hasUnread, nameOf, resolveUnread, unread } from './unread.ts';

const boundaryDecideMs = 1_000;
const patchFileBytesMax = 4 * 1024 * 1024;

/**
 * The denial of the first of `targets` that the rules forbid, or null. A scope that is off or invalid denies nothing.
 * @throws Failure `too_slow` when the decision takes too long
 */
export function judge(targets: readonly Target[], context: ScopeContext): Denial | null {
  const policy = new Policies(context);
  const endsAt = performance.now() + boundaryDecideMs;
  return first(targets, (target) => {
    if (performance.now() > endsAt)
      throw new Failure(
        'too_slow',
        `${targets.length} writes are more than can be judged in ${boundaryDecideMs} ms`,
      );
    return first(foldersOf(target.at), (folder) => check(policy, target, folder));
  });
}

/** The first folder that exists is the one meant. A missing one may be made by the same command, or its `cd` fails. */
function foldersOf({ from, isDoubtful }: CwdCandidates): readonly string[] {
  const [likeliest, ...others] = from;
  if (likeliest === undefined) return [];
  return isDoubtful || !isFolder(likeliest) ? [likeliest, ...others] : [likeliest];
}

function check(policy: Policies, target: Target, folder: string): Denial | null {
  switch (target.kind) {
    case 'path':
      return checkPath(policy, target, folder);
    case 'copy':
      return checkCopy(policy, target, folder);
    case 'found':
      return checkSearch(policy, target, folder);
    case 'patch':
      return checkPatch(policy, target, folder);
  }
}

function checkPath(policy: Policies, target: Target & { kind: 'path' }, folder: string): Denial | null {
  return first(expand(target.piece, folder, policy.budget), (text) => {
    if (target.onlyIfThere === true && !exists(path.resolve(folder, text))) return null;
    return policy.touch(text, folder, target.effect);
  });
}

function checkCopy(policy: Policies, target: Target & { kind: 'copy' }, folder: string): Denial | null {
  const sources = target.sources.flatMap((piece) => expand(piece, folder, policy.budget));
  return first(expand(target.to, folder, policy.budget), (to) => {
    // No file system takes a longer name.
    if (to.length > pathCharsMax) return null;
    if (sources.length === 0) return policy.touch(to, folder, 'write');
    const isInto = sources.length > 1 || to.endsWith('/') || isFolder(path.resolve(folder, to));
    return first(sources, (source) => {
      const { at, denial } = checkPlaced(policy, source, to, folder, isInto);
      return denial ?? (target.isLink === true ? null : checkContents(policy, source, at, folder));
    });
  });
}

/** One source copied to `to` or into it: its new path, and whether that may be written. */
function checkPlaced(
  policy: Policies,
  source: string,
  to: string,
  folder: string,
  isInto: boolean,
): { readonly at: string; readonly denial: Denial | null } {
  const isContents = /(?:^|\/)\.\.?\/*$/.test(source);
  const inside = `${to.replace(/\/+$/, '')}/${nameOf(source)}`;
  const at = isInto && !isContents ? inside : to;
  const denial =
    policy.touch(at, folder, isContents ? 'folder' : 'write') ??
    // The same command may have made the missing folder.
    (isInto || isContents ? null : policy.touch(inside, folder, 'linked'));
  return { at, denial };
}

function checkContents(policy: Policies, source: string, at: string, folder: string): Denial | null {
  const location = path.resolve(folder, source);
  if (!isFolder(location)) return null;
  return first(below(location, policy.budget), (inner) =>
    policy.touch(`${at}/${path.relative(location, inner)}`, folder, isFolder(inner) ? 'folder' : 'write'),
  );
}

function checkSearch(policy: Policies, target: Target & { kind: 'found' }, folder: string): Denial | null {
  const { names } = target;
  const starts = target.starts.flatMap((piece) => expand(piece, folder, policy.budget));
  return first(starts, (start) => {
    if (names.length === 0) return policy.touch(start, folder, 'tree');
    if (hasUnread(resolveUnread(start, folder))) {
      const unknown = names.map((name) => `${start}/${unread.any}/${name.replace(/[*?[\]]+/g, unread.name)}`);
      return first(unknown, (name) => policy.touch(name, folder, 'tree'));
    }
    const there = [...below(path.resolve(folder, start), policy.budget)];
    const bases = [...new Set(there.map((inner) => path.basename(inner)))];
    return first(names, (name) => {
      const fitting = new Set(policy.budget.globs.fitting(name, bases, { dot: true, nocase: true }));
      return first(there, (inner) =>
        fitting.has(path.basename(inner)) ? policy.touch(inner, folder, 'tree') : null,
      );
    });
  });
}

function checkPatch(policy: Policies, target: Target & { kind: 'patch' }, folder: string): Denial | null {
  return first(expand(target.file, folder, policy.budget), (file) => {
    // An unknown patch may change any file.
    if (hasUnread(resolveUnread(file, folder))) return policy.touch(unread.any, folder, 'write');
    const text = readIfPlain(path.resolve(folder, file));
    if (text === null) return null;
    return first(patchNames(text, target.strip), (name) => {
      const named = path.posix.join(target.folder, name);
      // git counts the names from the top of the repository.
      return (
        policy.touch(named, folder, 'write') ??
        first(policy.roots, (root) => policy.touch(named, root, 'linked'))
      );
    });
  });
}

function first<Item>(items: Iterable<Item>, denialOf: (item: Item) => Denial | null): Denial | null {
  for (const item of items) {
    const denial = denialOf(item);
    if (denial !== null) return denial;
  }
  return null;
}

function exists(location: string): boolean {
  // Not a valid name (a null character), or a folder that the tool cannot read either.
  return orElse(() => fs.lstatSync(location, { throwIfNoEntry: false }) !== undefined, false);
}

function readIfPlain(file: string): string | null {
  // Not readable, too long or not a file: its names are unknown (docs/boundary.md).
  return orElse(() => readPlainFile(file, patchFileBytesMax), null);
}
