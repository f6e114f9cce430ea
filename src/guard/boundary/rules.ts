import path from 'node:path';
import picomatch from 'picomatch';
import { Asking, compileGlob, isCostly } from './glob.ts';
import type { Scope } from './scope.ts';
import { isAnywhere, mayFit } from './unread.ts';

/**
 * The rules of a scope that is on, ready to be asked. Paths are real and absolute. What cannot be decided in time is denied,
 * and is not allowed.
 */
export interface Rules {
  /** The first rule that denies the path, or null. */
  readonly denying: (place: string) => string | null;
  /** The first rule that may deny a path of which a part cannot be read, or null. */
  readonly mayDeny: (place: string) => string | null;
  /** The first of many paths that a rule denies, or null. */
  readonly denyingOneOf: (
    places: readonly string[],
  ) => { readonly place: string; readonly rule: string } | null;
  readonly allows: (place: string) => boolean;
  /** The first glob that allows the path, or null. */
  readonly allowing: (place: string) => string | null;
  /** Whether something below the folder may be allowed, so that making the folder is no harm. */
  readonly allowsBelow: (folder: string) => boolean;
  readonly hasDeny: boolean;
  readonly hasAllow: boolean;
}

/**
 * `roots` are the folders that globs are relative to: the workspace's, and the working tree's where that is another one.
 * A path is counted from the innermost that holds it.
 */
export function compile(scope: Scope & { state: 'on' }, roots: readonly string[]): Rules {
  const from = [...roots].sort((a, b) => b.length - a.length);
  const asking = new Asking();
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
  const allowing = (place: string): string | null => {
    const name = counted(place, from);
    const { rule, isDecided } = asking.first(allow ?? [], [name], ({ matches }) => matches(name, place));
    return isDecided ? (rule?.glob ?? null) : null;
  };
  const denyingOneOf = (places: readonly string[]): ReturnType<Rules['denyingOneOf']> => {
    const named = places.map((place) => ({
      place,
      name: folded(counted(place, from)),
      absolute: folded(place),
    }));
    const found = asking.first(deny, named, ({ matches }, { name, absolute }) => matches(name, absolute));
    if (found.rule === null || found.place === null) return null;
    return { place: found.place.place, rule: found.rule.glob };
  };
  return {
    hasDeny: deny.length > 0,
    hasAllow: allow !== undefined,
    denying: (place) => denyingOneOf([place])?.rule ?? null,
    mayDeny(place) {
      const name = isAnywhere(place) ? place : counted(place, from);
      const names = [name, `/${name}`, place, place.replace(/^\//, '')].map(folded);
      const may = (glob: string): boolean =>
        denyForms(glob).some((form) => names.some((one) => mayFit(one, form)));
      return (scope.deny ?? []).find(may) ?? null;
    },
    denyingOneOf,
    allowing,
    allows: (place) => allow === undefined || allowing(place) !== null,
    allowsBelow(folder) {
      const name = counted(folder, from);
      return (
        allow === undefined ||
        (!isOutside(name) && allow.some(({ base }) => name === '.' || isIn(base, name)))
      );
    },
  };
}

/** Whether `place` is `folder` or lies below it; `/src-evil` does not lie below `/src`. */
export function isIn(place: string, folder: string): boolean {
  if (place === folder || folder === '/') return true;
  return place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/**
 * What file systems that fold case and normal form may take for the same name: composed, without the characters that HFS+
 * ignores (git's `utf8.c`, `next_hfs_char`), in one case. Upper case comes between, so that `ſ` becomes `s`.
 */
export function folded(text: string): string {
  const visible = text.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return visible.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** A glob asked about a path: relative to its root, and absolute. */
type Matches = (name: string, absolute: string) => boolean;

/** Relative to the innermost root, with `../` when it is outside of all; `.` for a root itself. */
function counted(place: string, roots: readonly string[]): string {
  const root = roots.find((one) => isIn(place, one)) ?? roots.at(-1) ?? '/';
  return path.relative(root, place) || '.';
}

function isOutside(name: string): boolean {
  return name === '..' || name.startsWith('../');
}

/**
 * Outside of the root only what a glob says to be there is allowed: `/tmp/**`, `../sibling/**`; never by `**` or `!x`.
 */
function allowedBy(glob: string): Matches {
  // macOS keeps the composed and the decomposed spelling of a name apart by letter only.
  const form = (text: string): string => (process.platform === 'darwin' ? text.normalize('NFC') : text);
  const matches = compileGlob(form(glob));
  if (glob.startsWith('/')) return (_, absolute) => matches(form(absolute));
  return (name) => {
    if (name === '.') return /^(?:\.\/)?\*\*(?:\/\*)?$/.test(glob);
    return (!isOutside(name) || glob.startsWith('../')) && matches(form(name));
  };
}

/**
 * A rule that names a file or folder plainly denies what is below it as well. `/x` is meant from the root or from the
 * system's; a rule without it holds outside of the root too, so that a `.env` there is denied by what denies it here.
 */
function deniedBy(glob: string): Matches {
  const matchers = denyForms(glob).map((one) => compileGlob(one, { nocase: true }));
  const matches = (name: string): boolean => matchers.some((one) => one(name));
  if (glob.startsWith('/')) return (name, absolute) => matches(`/${name}`) || matches(absolute);
  return (name, absolute) => matches(name) || (isOutside(name) && matches(absolute.slice(1)));
}

/** The globs that a rule of `deny` stands for. */
function denyForms(glob: string): readonly string[] {
  const told = folded(glob.replace(/^(?:\.\/)+/, ''));
  const trimmed = told.replace(/\/+$/, '') || told;
  return picomatch.scan(told).isGlob && trimmed === told ? [told] : [trimmed, `${trimmed}/**`];
}
