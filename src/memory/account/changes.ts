import { digestNamesMax } from '#core/limits';
import { type Check, seesChange } from '#reading/checks';

/** When the code of a session was changed, without what was taken back. */
export class Changes {
  /** The last change of each path, and the one of the last commit. */
  readonly #last = new Map<string, number>();
  #atCommit: ReadonlyMap<string, number> = new Map();
  /** Since when each path has changes that no commit has. */
  readonly #open = new Map<string, number>();
  /** Changes that a path had for a time. */
  readonly #back: { readonly path: string; readonly since: number; readonly until: number }[] = [];
  /** What git does not know: it takes nothing of it back. */
  readonly #new = new Set<string>();
  committedAt = 0;

  created(paths: readonly string[]): void {
    for (const path of paths)
      if (!this.#last.has(path) && this.#new.size < digestNamesMax) this.#new.add(path);
  }

  change(paths: readonly string[], at: number): void {
    for (const path of paths) {
      if (this.#open.size < digestNamesMax && !this.#open.has(path)) this.#open.set(path, at);
      this.#last.set(this.#last.size < digestNamesMax ? path : '', at);
    }
  }

  commit(at: number): void {
    this.committedAt = at;
    this.#atCommit = new Map(this.#last);
    this.#open.clear();
    this.#new.clear();
  }

  isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Since when the paths had the changes that are taken back at `now`; infinite for none. */
  takeBack(isBack: (path: string) => boolean, now: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (const [path, since] of this.#open) {
      if (!isBack(path) || this.#new.has(path)) continue;
      first = Math.min(first, since);
      this.#open.delete(path);
      const committed = this.#atCommit.get(path);
      if (committed === undefined) this.#last.delete(path);
      else this.#last.set(path, committed);
      if (this.#back.length < digestNamesMax) this.#back.push({ path, since, until: now });
    }
    return first;
  }

  /** Whether the code is another one than at `at`, as far as one of these checks sees it; all of it for none. */
  areSince(at: number, parts: readonly Check[] = []): boolean {
    const isSeen = (path: string): boolean =>
      parts.length === 0 || parts.some((part) => seesChange(part, path));
    for (const [path, last] of this.#last) if (last > at && isSeen(path)) return true;
    return this.#back.some(({ path, since, until }) => since <= at && at < until && isSeen(path));
  }
}
