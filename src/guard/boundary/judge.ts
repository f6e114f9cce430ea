import fs from 'node:fs';
import path from 'node:path';
import { pathCharsMax } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';
import type { Denial } from './court.ts';
import { patchNames } from './patch-names.ts';
import type { Ground } from './place.ts';
import { Policies } from './policies.ts';
import { readPlainFile } from './scope.ts';
import type { Standing, Target } from './target.ts';
import { below, expand, isFolder } from './trees.ts';
import { hasUnread, nameOf, placeWithUnread, unread } from './unread.ts';

const boundaryDecideMs = 1_000;
const patchFileBytesMax = 4 * 1024 * 1024;

/**
 * The first of `targets` that the rules do not let be written, or null. The scope file itself comes first, then `deny`, then
 * `allow`. Looks at no more of the disk than its limits say. A scope that is off or invalid denies nothing.
 * @throws Failure `too_slow` when there is too much to decide about
 */
export function judge(targets: readonly Target[], ground: Ground): Denial | null {
  const court = new Policies(ground);
  const endsAt = performance.now() + boundaryDecideMs;
  return first(targets, (target) => {
    if (performance.now() > endsAt) {
      throw new Failure(
        'too_slow',
        `${targets.length} writes are more than can be judged in ${boundaryDecideMs} ms`,
      );
    }
    return first(foldersOf(target.at), (folder) => hear(court, target, folder));
  });
}

/** A folder that is there is the one meant; one that is not may be made by the same command, or `cd` fails. */
function foldersOf({ from, isDoubtful }: Standing): readonly string[] {
  const [likeliest, ...others] = from;
  if (likeliest === undefined) return [];
  return isDoubtful || !isFolder(likeliest) ? [likeliest, ...others] : [likeliest];
}

function hear(court: Policies, target: Target, folder: string): Denial | null {
  switch (target.kind) {
    case 'path':
      return hearPath(court, target, folder);
    case 'copy':
      return hearCopy(court, target, folder);
    case 'found':
      return hearFound(court, target, folder);
    case 'patch':
      return hearPatch(court, target, folder);
  }
}

function hearPath(court: Policies, target: Target & { kind: 'path' }, folder: string): Denial | null {
  return first(expand(target.piece, folder, court.looking), (text) => {
    if (target.onlyIfThere === true && !isThere(path.resolve(folder, text))) return null;
    return court.touch(text, folder, target.effect);
  });
}

function hearCopy(court: Policies, target: Target & { kind: 'copy' }, folder: string): Denial | null {
  const sources = target.sources.flatMap((piece) => expand(piece, folder, court.looking));
  return first(expand(target.to, folder, court.looking), (to) => {
    // The system takes no longer name, and a shell makes none shorter.
    if (to.length > pathCharsMax) return null;
    if (sources.length === 0) return court.touch(to, folder, 'write');
    const isInto = sources.length > 1 || to.endsWith('/') || isFolder(path.resolve(folder, to));
    return first(sources, (source) => {
      const { at, denial } = hearPut(court, source, to, folder, isInto);
      return denial ?? (target.isLink === true ? null : hearContents(court, source, at, folder));
    });
  });
}

/** One thing put at `to` or into it: where it comes to lie, and whether it may. */
function hearPut(
  court: Policies,
  source: string,
  to: string,
  folder: string,
  isInto: boolean,
): { readonly at: string; readonly denial: Denial | null } {
  const isContents = /(?:^|\/)\.\.?\/*$/.test(source);
  const inside = `${to.replace(/\/+$/, '')}/${nameOf(source)}`;
  const at = isInto && !isContents ? inside : to;
  const denial =
    court.touch(at, folder, isContents ? 'folder' : 'write') ??
    // The same command may have made the folder that is not there yet.
    (isInto || isContents ? null : court.touch(inside, folder, 'linked'));
  return { at, denial };
}

function hearContents(court: Policies, source: string, at: string, folder: string): Denial | null {
  const place = path.resolve(folder, source);
  if (!isFolder(place)) return null;
  return first(below(place, court.looking), (inner) =>
    court.touch(`${at}/${path.relative(place, inner)}`, folder, isFolder(inner) ? 'folder' : 'write'),
  );
}

function hearFound(court: Policies, target: Target & { kind: 'found' }, folder: string): Denial | null {
  const { names } = target;
  const starts = target.starts.flatMap((piece) => expand(piece, folder, court.looking));
  return first(starts, (start) => {
    if (names.length === 0) return court.touch(start, folder, 'tree');
    if (hasUnread(placeWithUnread(start, folder))) {
      const unknown = names.map((name) => `${start}/${unread.any}/${name.replace(/[*?[\]]+/g, unread.name)}`);
      return first(unknown, (name) => court.touch(name, folder, 'tree'));
    }
    const there = [...below(path.resolve(folder, start), court.looking)];
    const bases = [...new Set(there.map((inner) => path.basename(inner)))];
    return first(names, (name) => {
      const fitting = new Set(court.looking.asking.fitting(name, bases, { dot: true, nocase: true }));
      return first(there, (inner) =>
        fitting.has(path.basename(inner)) ? court.touch(inner, folder, 'tree') : null,
      );
    });
  });
}

function hearPatch(court: Policies, target: Target & { kind: 'patch' }, folder: string): Denial | null {
  return first(expand(target.file, folder, court.looking), (file) => {
    // A patch that is not known may change any file.
    if (hasUnread(placeWithUnread(file, folder))) return court.touch(unread.any, folder, 'write');
    const text = readIfPlain(path.resolve(folder, file));
    if (text === null) return null;
    return first(patchNames(text, target.strip), (name) => {
      const told = path.posix.join(target.folder, name);
      // In a folder of a repository git counts names from its top.
      return (
        court.touch(told, folder, 'write') ?? first(court.roots, (root) => court.touch(told, root, 'linked'))
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
