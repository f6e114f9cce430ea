import fs from 'node:fs';
import path from 'node:path';
import { pathCharsMax } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';
import { patchNames } from './patch-names.ts';
import type { Denial } from './path-policy.ts';
import type { ScopeContext } from './place.ts';
import { Policies } from './policies.ts';
import { readPlainFile } from './scope.ts';
import type { CwdCandidates, Target } from './target.ts';
import { below, expand, isFolder } from './trees.ts';
import { hasUnread, nameOf, placeWithUnread, unread } from './unread.ts';

const boundaryDecideMs = 1_000;
const patchFileBytesMax = 4 * 1024 * 1024;

/**
 * The first of `targets` that the rules do not let be written, or null. The scope file itself comes first, then `deny`, then
 * `allow`. Looks at no more of the disk than its limits say. A scope that is off or invalid denies nothing.
 * @throws Failure `too_slow` when there is too much to decide about
 */
export function judge(targets: readonly Target[], context: ScopeContext): Denial | null {
  const policy = new Policies(context);
  const endsAt = performance.now() + boundaryDecideMs;
  return first(targets, (target) => {
    if (performance.now() > endsAt) {
      throw new Failure(
        'too_slow',
        `${targets.length} writes are more than can be judged in ${boundaryDecideMs} ms`,
      );
    }
    return first(foldersOf(target.at), (folder) => check(policy, target, folder));
  });
}

/** A folder that is there is the one meant; one that is not may be made by the same command, or `cd` fails. */
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
      return checkFound(policy, target, folder);
    case 'patch':
      return checkPatch(policy, target, folder);
  }
}

function checkPath(policy: Policies, target: Target & { kind: 'path' }, folder: string): Denial | null {
  return first(expand(target.piece, folder, policy.looking), (text) => {
    if (target.onlyIfThere === true && !isThere(path.resolve(folder, text))) return null;
    return policy.touch(text, folder, target.effect);
  });
}

function checkCopy(policy: Policies, target: Target & { kind: 'copy' }, folder: string): Denial | null {
  const sources = target.sources.flatMap((piece) => expand(piece, folder, policy.looking));
  return first(expand(target.to, folder, policy.looking), (to) => {
    // The system takes no longer name, and a shell makes none shorter.
    if (to.length > pathCharsMax) return null;
    if (sources.length === 0) return policy.touch(to, folder, 'write');
    const isInto = sources.length > 1 || to.endsWith('/') || isFolder(path.resolve(folder, to));
    return first(sources, (source) => {
      const { at, denial } = checkPut(policy, source, to, folder, isInto);
      return denial ?? (target.isLink === true ? null : checkContents(policy, source, at, folder));
    });
  });
}

/** One thing put at `to` or into it: where it comes to lie, and whether it may. */
function checkPut(
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
    // The same command may have made the folder that is not there yet.
    (isInto || isContents ? null : policy.touch(inside, folder, 'linked'));
  return { at, denial };
}

function checkContents(policy: Policies, source: string, at: string, folder: string): Denial | null {
  const place = path.resolve(folder, source);
  if (!isFolder(place)) return null;
  return first(below(place, policy.looking), (inner) =>
    policy.touch(`${at}/${path.relative(place, inner)}`, folder, isFolder(inner) ? 'folder' : 'write'),
  );
}

function checkFound(policy: Policies, target: Target & { kind: 'found' }, folder: string): Denial | null {
  const { names } = target;
  const starts = target.starts.flatMap((piece) => expand(piece, folder, policy.looking));
  return first(starts, (start) => {
    if (names.length === 0) return policy.touch(start, folder, 'tree');
    if (hasUnread(placeWithUnread(start, folder))) {
      const unknown = names.map((name) => `${start}/${unread.any}/${name.replace(/[*?[\]]+/g, unread.name)}`);
      return first(unknown, (name) => policy.touch(name, folder, 'tree'));
    }
    const there = [...below(path.resolve(folder, start), policy.looking)];
    const bases = [...new Set(there.map((inner) => path.basename(inner)))];
    return first(names, (name) => {
      const fitting = new Set(policy.looking.asking.fitting(name, bases, { dot: true, nocase: true }));
      return first(there, (inner) =>
        fitting.has(path.basename(inner)) ? policy.touch(inner, folder, 'tree') : null,
      );
    });
  });
}

function checkPatch(policy: Policies, target: Target & { kind: 'patch' }, folder: string): Denial | null {
  return first(expand(target.file, folder, policy.looking), (file) => {
    // A patch that is not known may change any file.
    if (hasUnread(placeWithUnread(file, folder))) return policy.touch(unread.any, folder, 'write');
    const text = readIfPlain(path.resolve(folder, file));
    if (text === null) return null;
    return first(patchNames(text, target.strip), (name) => {
      const told = path.posix.join(target.folder, name);
      // In a folder of a repository git counts names from its top.
      return (
        policy.touch(told, folder, 'write') ??
        first(policy.roots, (root) => policy.touch(told, root, 'linked'))
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

function isThere(place: string): boolean {
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // No name at all (a null character), or a folder that is closed to the tool as well.
    return false;
  }
}

function readIfPlain(file: string): string | null {
  try {
    return readPlainFile(file, patchFileBytesMax);
  } catch {
    // Not readable, too long or no file: what it would write is not known (docs/boundary.md).
    return null;
  }
}
