import path from 'node:path';
import { boundaryLookMs } from '../../core/limits.ts';
import { type Denial, PathPolicy } from './path-policy.ts';
import { groundsAbove, isRuled, type RuledGround, type ScopeContext } from './place.ts';
import { realPath } from './real-path.ts';
import type { Effect } from './target.ts';
import { Looking } from './trees.ts';
import { hasUnread } from './unread.ts';

/** All rules that hold for one tool call: those of where it stands, and for each path those of the folders above it. */
export class Policies {
  readonly looking = new Looking(boundaryLookMs);
  readonly #home: string;
  readonly #courts = new Map<string, PathPolicy>();
  readonly #standing: readonly PathPolicy[];
  /** The courts for what lies in a folder, by that folder. */
  readonly #above = new Map<string, readonly PathPolicy[]>();

  constructor(context: ScopeContext) {
    this.#home = context.home;
    this.#standing = this.#courtsOf([context, ...context.around]);
  }

  /** The folders that the globs of any of them are relative to. */
  get roots(): readonly string[] {
    return [...new Set(this.#standing.flatMap(({ roots }) => roots))];
  }

  /** Whether `effect` may be had at `text`, told by a tool that works in `folder`: null, or why not. */
  touch(text: string, folder: string, effect: Effect): Denial | null {
    for (const policy of new Set([...this.#standing, ...this.#courtsAbove(text, folder)])) {
      const denial = policy.touch(text, folder, effect);
      if (denial !== null) return denial;
    }
    return null;
  }

  /** The glob that allows a place where it stands; null where none does. */
  allowing(place: string): string | null {
    return this.#standing.map((policy) => policy.allowing(place)).find((rule) => rule !== null) ?? null;
  }

  #courtsAbove(text: string, folder: string): readonly PathPolicy[] {
    if (hasUnread(text) || hasUnread(folder)) return [];
    const at = path.dirname(realOrSame(path.resolve(folder, text)));
    const known = this.#above.get(at);
    if (known !== undefined) return known;
    const courts = this.#courtsOf(groundsAbove(at, this.#home));
    this.#above.set(at, courts);
    return courts;
  }

  #courtsOf(grounds: readonly ScopeContext[]): readonly PathPolicy[] {
    return grounds.filter(isRuled).map((context) => this.#courtOf(context));
  }

  /** One for each file of rules: those of a workspace count from more than one root. */
  #courtOf(context: RuledGround): PathPolicy {
    const policy = this.#courts.get(context.file) ?? new PathPolicy(context, this.looking);
    this.#courts.set(context.file, policy);
    return policy;
  }
}

function realOrSame(place: string): string {
  try {
    return realPath(place);
  } catch {
    // A loop of links is denied by every court.
    return place;
  }
}
