import type fs from 'node:fs';
import path from 'node:path';
import { LinkLoop, pathsOf, type ResolvedPaths, realPathOrSame } from './real-path.ts';
import { compile, folded, isIn, type Rules } from './rules.ts';
import { type EnforcedScope, statIfSeen } from './scope-context.ts';
import type { Effect } from './target.ts';
import { below, isFolder, type LookupBudget } from './trees.ts';
import { asPlainName, escapedGlob, hasUnread, isAnywhere, mayFit, resolveUnread, unread } from './unread.ts';

/** Why a path may not be written. */
export interface Denial {
  /** As the tool call names it. */
  readonly path: string;
  readonly real: string;
  /**
   * `scope`: it is the scope file. `deny`: the glob in `rule` matches. `allow`: no allow glob matches. `loop`: its links form a
   * cycle. `unread`: a part is unknown, so it may be the scope file, may match the glob in `rule`, or may not be allowed.
   */
  readonly by: 'scope' | 'deny' | 'allow' | 'unread' | 'loop';
  readonly rule: string | null;
  /** The rules that decide. */
  readonly context: EnforcedScope;
}

/** Decides about one path at a time: the scope file first, then `deny`, then `allow`. */
export class PathPolicy {
  readonly budget: LookupBudget;
  readonly #rules: Rules;
  readonly #home: string;
  readonly roots: readonly string[];
  /** Names of the scope file and of its folder. */
  readonly #guarded: readonly string[];
  readonly #guardedFile: fs.Stats | null;
  readonly #context: EnforcedScope;

  constructor(context: EnforcedScope, budget: LookupBudget) {
    this.budget = budget;
    this.#context = context;
    this.#rules = compile(context.scope, context.roots);
    this.#home = context.home;
    this.roots = context.roots;
    const folders = context.roots.map((root) => path.join(root, '.memd'));
    const files = folders.map((folder) => path.join(folder, 'scope.json'));
    const names = [...folders, ...files, ...[...folders, context.file].map(realPathOrSame)];
    this.#guarded = [...new Set(names.map(folded))];
    this.#guardedFile = statIfSeen(context.file);
  }

  /** Why `effect` at `text`, relative to `folder`, is denied; null when it is allowed. */
  touch(asked: string, folder: string, effect: Effect): Denial | null {
    if (asked === '' || harmless.test(asked)) return null;
    const text = asked.replace(processFolder, (_, name: string) => (name === 'cwd' ? folder : '/'));
    const context = this.#context;
    if (hasUnread(text) || (hasUnread(folder) && !path.isAbsolute(text)))
      return this.#touchUnread(text, resolveUnread(text, folder), effect);
    const locations = this.#pathsOf(text, folder);
    if (locations === null)
      return { path: text, real: path.resolve(folder, text), by: 'loop', rule: null, context };
    const { real, named } = locations;
    for (const location of [...real, ...named]) {
      if (this.#isGuarded(location, effect))
        return { path: text, real: location, by: 'scope', rule: null, context };
      const rule = this.#rules.denying(location);
      if (rule !== null) return { path: text, real: location, by: 'deny', rule, context };
    }
    for (const location of real) {
      const denial = effect === 'tree' ? this.#withAllBelow(location, text) : null;
      if (denial !== null) return denial;
      if (!this.#isAllowed(location, effect))
        return { path: text, real: location, by: 'allow', rule: null, context };
    }
    return null;
  }

  /** The glob that allows a path, or null. */
  allowing(location: string): string | null {
    return this.#rules.allowing(location);
  }

  /** Null when the links form a cycle. */
  #pathsOf(text: string, folder: string): ResolvedPaths | null {
    try {
      return pathsOf(text, folder, this.#home);
    } catch (error) {
      if (error instanceof LinkLoop) return null;
      throw error;
    }
  }

  /** A path with an unknown part is denied when it may be denied, or may not be allowed. */
  #touchUnread(text: string, location: string, effect: Effect): Denial | null {
    const denied = (rule: string | null): Denial => ({
      ...{ path: text, real: text, by: 'unread', rule, context: this.#context },
    });
    const isTree = (effect === 'tree' || effect === 'into') && isAnywhere(location);
    const locations = isTree ? [location, `${location}/${unread.any}`] : [location];
    const isGuarded = (one: string): boolean =>
      this.#guarded.some((name) => mayFit(folded(one), escapedGlob(name)));
    if (locations.some(isGuarded)) return denied(null);
    for (const one of locations) {
      const rule = this.#rules.mayDeny(one);
      if (rule !== null) return denied(rule);
    }
    if (!isAnywhere(location)) return this.#isAllowed(asPlainName(location), effect) ? null : denied(null);
    return effect === 'linked' || !this.#rules.hasAllow ? null : denied(null);
  }

  #isAllowed(location: string, effect: Effect): boolean {
    if (effect === 'linked' || harmless.test(location) || this.#rules.allows(location)) return true;
    return effect === 'folder' && this.#rules.allowsBelow(location);
  }

  /** The scope file and its folder; for an effect on a tree every folder above them as well. */
  #isGuarded(location: string, effect: Effect): boolean {
    const name = folded(location);
    if (this.#guarded.includes(name)) return true;
    if (effect === 'tree' || effect === 'into') return this.#guarded.some((one) => isIn(one, name));
    if (this.#guardedFile === null || this.#guardedFile.nlink < 2) return false;
    // The same file under another name.
    const stat = statIfSeen(location);
    return stat?.ino === this.#guardedFile.ino && stat.dev === this.#guardedFile.dev;
  }

  /** A file in the tree may be denied by name. */
  #withAllBelow(location: string, text: string): Denial | null {
    if (!this.#rules.hasDeny || !isFolder(location)) return null;
    const denied = this.#rules.denyingOneOf([...below(location, this.budget)]);
    if (denied === null) return null;
    return { path: text, real: denied.location, by: 'deny', rule: denied.rule, context: this.#context };
  }
}

/** The folder or the root of a process: the tool's own shell is meant. */
const processFolder = /^\/+proc\/+(?:\.\/+)*(?:self|thread-self|\d+|[\u0001-\u0003])\/+(cwd|root)(?=\/|$)/;

/** Devices that store nothing, and the caller's own streams. */
const harmless =
  /^\/(?:dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;
