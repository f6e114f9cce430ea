import path from 'node:path';
import picomatch from 'picomatch';
import { comparableName } from '#core/platform';
import { compileGlob, GlobMatcher, isCostly } from './glob.ts';
import type { Scope } from './scope.ts';
import { isAnywhere, mayFit } from './unread.ts';

/** The compiled rules of a scope. Paths are real and absolute. What is not decided in time is denied, and is not allowed. */
export type Rules = Readonly<ReturnType<typeof compile>>;

/**
 * `roots` are the folders that globs are relative to: the workspace's, and that of a linked working tree. The innermost one
 * that holds a path counts.
 */
export function compile(scope: Scope & { state: 'on' }, roots: readonly string[]) {
  const from = [...roots].sort((a, b) => b.length - a.length);
  const globs = new GlobMatcher();
  const deny = (scope.deny ?? []).map((glob) => ({
    glob,
    isCostly: isCostly(glob),
    matches: deniedBy(glob),
  }));
  const allow = scope.allow?.map((glob) => ({
    glob,
    base: picomatch.scan(glob).base,
    isCostly: isCostly(glob),
    matches: allowedBy(glob),
  }));
  const allowing = (location: string): string | null => {
    const name = counted(location, from);
    const { rule, isDecided } = globs.first(allow ?? [], [name], ({ matches }) => matches(name, location));
    return isDecided ? (rule?.glob ?? null) : null;
  };
  const denyingOneOf = (locations: readonly string[]) => {
    const named = locations.map((location) => ({
      location,
      name: folded(counted(location, from)),
      absolute: folded(location),
    }));
    const found = globs.first(deny, named, ({ matches }, { name, absolute }) => matches(name, absolute));
    if (found.rule === null || found.location === null) return null;
    return { location: found.location.location, rule: found.rule.glob };
  };
  return {
    hasDeny: deny.length > 0,
    hasAllow: allow !== undefined,
    denying: (location: string) => denyingOneOf([location])?.rule ?? null,
    /** The first rule that may match a path with an unknown part, or null. */
    mayDeny: (location: string): string | null => {
      const name = isAnywhere(location) ? location : counted(location, from);
      const names = [name, `/${name}`, location, location.replace(/^\//, '')].map(folded);
      const may = (glob: string): boolean =>
        denyForms(glob).some((form) => names.some((one) => mayFit(one, form)));
      return (scope.deny ?? []).find(may) ?? null;
    },
    denyingOneOf,
    allowing,
    allows: (location: string) => allow === undefined || allowing(location) !== null,
    /** Whether a path below the folder may be allowed, so that making the folder is harmless. */
    allowsBelow: (folder: string): boolean => {
      const name = counted(folder, from);
      return (
        allow === undefined ||
        (!isOutside(name) && allow.some(({ base }) => name === '.' || isIn(base, name)))
      );
    },
  };
}

/** Whether `location` is `folder` or below it; `/src-evil` is not below `/src`. */
export function isIn(location: string, folder: string): boolean {
  if (location === folder || folder === '/') return true;
  return location.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/**
 * One form for all names that a file system may take for the same: composed, in one case, without the characters that
 * HFS+ ignores (git's `utf8.c`, `next_hfs_char`). Upper case comes first, so that `ſ` becomes `s`.
 */
export function folded(text: string): string {
  const visible = text.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return visible.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Matches a path, given relative to its root and absolute. */
type Matches = (name: string, absolute: string) => boolean;

/** Relative to the innermost root; `../` for a path outside all of them, `.` for a root itself. */
function counted(location: string, roots: readonly string[]): string {
  const root = roots.find((one) => isIn(location, one)) ?? roots.at(-1) ?? '/';
  return path.relative(root, location) || '.';
}

function isOutside(name: string): boolean {
  return name === '..' || name.startsWith('../');
}

/** Outside the root only an explicit glob allows (`/tmp/**`, `../sibling/**`), never `**` or `!x`. */
function allowedBy(glob: string): Matches {
  const matches = compileGlob(comparableName(glob));
  if (glob.startsWith('/')) return (_, absolute) => matches(comparableName(absolute));
  return (name) => {
    if (name === '.') return /^(?:\.\/)?\*\*(?:\/\*)?$/.test(glob);
    return (!isOutside(name) || glob.startsWith('../')) && matches(comparableName(name));
  };
}

/**
 * A plain name also denies what is below it. `/x` counts from the root and from the file system's root. Any other rule holds
 * outside the root as well: `.env` denies every `.env` file.
 */
function deniedBy(glob: string): Matches {
  const matchers = denyForms(glob).map((one) => compileGlob(one, { nocase: true }));
  const matches = (name: string): boolean => matchers.some((one) => one(name));
  if (glob.startsWith('/')) return (name, absolute) => matches(`/${name}`) || matches(absolute);
  return (name, absolute) => matches(name) || (isOutside(name) && matches(absolute.slice(1)));
}

/** The globs that a `deny` rule means. */
function denyForms(glob: string): readonly string[] {
  const pattern = folded(glob.replace(/^(?:\.\/)+/, ''));
  const trimmed = pattern.replace(/\/+$/, '') || pattern;
  return picomatch.scan(pattern).isGlob && trimmed === pattern ? [pattern] : [trimmed, `${trimmed}/**`];
}
