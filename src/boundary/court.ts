import fs from 'node:fs';
import path from 'node:path';
import { boundaryLookMs } from '../limits.ts';
import type { Ground } from './place.ts';
import { placesOf, realPath } from './real-path.ts';
import { folded, isIn, type Rules } from './rules.ts';
import type { Effect } from './target.ts';
import { below, isFolder, Looking } from './trees.ts';

/** Why something may not be written. */
export interface Denial {
  /** As the tool was told. */
  readonly path: string;
  readonly real: string;
  /** `scope`: it is the scope file; `deny`: by the glob in `rule`; `allow`: no glob allows it. */
  readonly by: 'scope' | 'deny' | 'allow';
  readonly rule: string | null;
}

/** Decides about one path at a time: the scope file itself first, then `deny`, then `allow`. */
export class Court {
  readonly looking = new Looking(boundaryLookMs);
  readonly #rules: Rules;
  readonly #home: string;
  readonly roots: readonly string[];
  /** Names of the scope file and of the folder it lies in. */
  readonly #guarded: readonly string[];
  readonly #guardedFile: fs.Stats | null;

  constructor(ground: Ground, rules: Rules) {
    this.#rules = rules;
    this.#home = ground.home;
    this.roots = ground.roots;
    const folders = ground.roots.map((root) => path.join(root, '.memd'));
    const files = folders.map((folder) => path.join(folder, 'scope.json'));
    const names = [...folders, ...files, ...folders.map(realPath), realPath(ground.file)];
    this.#guarded = [...new Set(names.map(folded))];
    this.#guardedFile = statIfSeen(ground.file);
  }

  /** Whether `effect` may be had at `text`, told by a tool that works in `folder`: null, or why not. */
  touch(text: string, folder: string, effect: Effect): Denial | null {
    if (text === '' || harmless.test(text)) return null;
    const { real, named } = placesOf(text, folder, this.#home);
    for (const place of [...real, ...named]) {
      if (this.#isGuarded(place, effect)) return { path: text, real: place, by: 'scope', rule: null };
      const rule = this.#rules.denying(place);
      if (rule !== null) return { path: text, real: place, by: 'deny', rule };
    }
    for (const place of real) {
      const denial = effect === 'tree' ? this.#withAllBelow(place, text) : null;
      if (denial !== null) return denial;
      if (!this.#isAllowed(place, effect)) return { path: text, real: place, by: 'allow', rule: null };
    }
    return null;
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
    return denied === null ? null : { path: text, real: denied.place, by: 'deny', rule: denied.rule };
  }
}

/** Devices that swallow what they are given, or are the caller's own. */
const harmless =
  /^\/(?:dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/;

function statIfSeen(place: string): fs.Stats | null {
  try {
    return fs.statSync(place, { throwIfNoEntry: false }) ?? null;
  } catch {
    // What we may not look at, the tool may not either.
    return null;
  }
}
