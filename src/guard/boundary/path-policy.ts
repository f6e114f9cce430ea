import fs from 'node:fs';
import path from 'node:path';
import type { RuledGround } from './place.ts';
import { LinkLoop, type Places, placesOf, realPath } from './real-path.ts';
import { compile, folded, isIn, type Rules } from './rules.ts';
import type { Effect } from './target.ts';
import { below, isFolder, type Looking } from './trees.ts';
import {
  asPlainName,
  escapedGlob,
  hasUnread,
  isAnywhere,
  mayFit,
  placeWithUnread,
  unread,
} from './unread.ts';

/** Why something may not be written. */
export interface Denial {
  /** As the tool was told. */
  readonly path: string;
  readonly real: string;
  /**
   * `scope`: it is the scope file; `deny`: by the glob in `rule`; `allow`: no glob allows it; `unread`: a part of it cannot be
   * read, and the scope file, the glob in `rule` or the lack of one that allows it may be meant; `loop`: links lead in a circle.
   */
  readonly by: 'scope' | 'deny' | 'allow' | 'unread' | 'loop';
  readonly rule: string | null;
  /** The rules that it is by. */
  readonly context: RuledGround;
}

/** Decides about one path at a time: the scope file itself first, then `deny`, then `allow`. */
export class PathPolicy {
  readonly looking: Looking;
  readonly #rules: Rules;
  readonly #home: string;
  readonly roots: readonly string[];
  /** Names of the scope file and of the folder it lies in. */
  readonly #guarded: readonly string[];
  readonly #guardedFile: fs.Stats | null;
  readonly #ground: RuledGround;

  constructor(context: RuledGround, looking: Looking) {
    this.looking = looking;
    this.#ground = context;
    this.#rules = compile(context.scope, context.roots);
    this.#home = context.home;
    this.roots = context.roots;
    const folders = context.roots.map((root) => path.join(root, '.memd'));
    const files = folders.map((folder) => path.join(folder, 'scope.json'));
    const names = [...folders, ...files, ...[...folders, context.file].map(realOrSame)];
    this.#guarded = [...new Set(names.map(folded))];
    this.#guardedFile = statIfSeen(context.file);
  }

  /** Whether `effect` may be had at `text`, told by a tool that works in `folder`: null, or why not. */
  touch(told: string, folder: string, effect: Effect): Denial | null {
    if (told === '' || harmless.test(told)) return null;
    const text = told.replace(processFolder, (_, name: string) => (name === 'cwd' ? folder : '/'));
    const context = this.#ground;
    if (hasUnread(text) || (hasUnread(folder) && !path.isAbsolute(text))) {
      return this.#touchUnread(text, placeWithUnread(text, folder), effect);
    }
    const places = this.#placesOf(text, folder);
    if (places === null)
      return { path: text, real: path.resolve(folder, text), by: 'loop', rule: null, context };
    const { real, named } = places;
    for (const place of [...real, ...named]) {
      if (this.#isGuarded(place, effect))
        return { path: text, real: place, by: 'scope', rule: null, context };
      const rule = this.#rules.denying(place);
      if (rule !== null) return { path: text, real: place, by: 'deny', rule, context };
    }
    for (const place of real) {
      const denial = effect === 'tree' ? this.#withAllBelow(place, text) : null;
      if (denial !== null) return denial;
      if (!this.#isAllowed(place, effect))
        return { path: text, real: place, by: 'allow', rule: null, context };
    }
    return null;
  }

  /** The glob that allows a place; null where none does. */
  allowing(place: string): string | null {
    return this.#rules.allowing(place);
  }

  /** Null for a loop of links: the system opens nothing there, and what a tool makes of it nobody can tell. */
  #placesOf(text: string, folder: string): Places | null {
    try {
      return placesOf(text, folder, this.#home);
    } catch (error) {
      if (error instanceof LinkLoop) return null;
      throw error;
    }
  }

  /** What cannot be read is denied where it may stand for what is denied, and where it may stand for what is not allowed. */
  #touchUnread(text: string, place: string, effect: Effect): Denial | null {
    const denied = (rule: string | null): Denial => ({
      ...{ path: text, real: text, by: 'unread', rule, context: this.#ground },
    });
    const isTree = (effect === 'tree' || effect === 'into') && isAnywhere(place);
    const places = isTree ? [place, `${place}/${unread.any}`] : [place];
    const isGuarded = (one: string): boolean =>
      this.#guarded.some((name) => mayFit(folded(one), escapedGlob(name)));
    if (places.some(isGuarded)) return denied(null);
    for (const one of places) {
      const rule = this.#rules.mayDeny(one);
      if (rule !== null) return denied(rule);
    }
    if (!isAnywhere(place)) return this.#isAllowed(asPlainName(place), effect) ? null : denied(null);
    return effect === 'linked' || !this.#rules.hasAllow ? null : denied(null);
  }

  #isAllowed(place: string, effect: Effect): boolean {
    if (effect === 'linked' || harmless.test(place) || this.#rules.allows(place)) return true;
    return effect === 'folder' && this.#rules.allowsBelow(place);
  }

  /** The scope file, the folder it lies in, and for what concerns a whole tree every folder above. */
  #isGuarded(place: string, effect: Effect): boolean {
    const name = folded(place);
    if (this.#guarded.includes(name)) return true;
    if (effect === 'tree' || effect === 'into') return this.#guarded.some((one) => isIn(one, name));
    if (this.#guardedFile === null || this.#guardedFile.nlink < 2) return false;
    // The same file by another name.
    const stat = statIfSeen(place);
    return stat?.ino === this.#guardedFile.ino && stat.dev === this.#guardedFile.dev;
  }

  /** What goes with a tree may be denied by name. */
  #withAllBelow(place: string, text: string): Denial | null {
    if (!this.#rules.hasDeny || !isFolder(place)) return null;
    const denied = this.#rules.denyingOneOf([...below(place, this.looking)]);
    if (denied === null) return null;
    return { path: text, real: denied.place, by: 'deny', rule: denied.rule, context: this.#ground };
  }
}

/** Where a process stands or has its root: the tool's shell is meant, whichever process is named. */
const processFolder = /^\/+proc\/+(?:\.\/+)*(?:self|thread-self|\d+|[\u0001-\u0003])\/+(cwd|root)(?=\/|$)/;

/** Devices that swallow what they are given, or are the caller's own. */
const harmless =
  /^\/(?:dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;

function realOrSame(place: string): string {
  try {
    return realPath(place);
  } catch {
    // A loop of links has no other name.
    return place;
  }
}

function statIfSeen(place: string): fs.Stats | null {
  try {
    return fs.statSync(place, { throwIfNoEntry: false }) ?? null;
  } catch {
    // What we may not look at, the tool may not either.
    return null;
  }
}
