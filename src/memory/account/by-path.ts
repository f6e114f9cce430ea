/** By the path of a file; two spellings that differ in case are one, as on most machines. */
export class ByPath<Value> extends Map<string, Value> {
  protected key(path: string): string {
    return path.toLowerCase();
  }

  override get(path: string): Value | undefined {
    return super.get(this.key(path));
  }

  override has(path: string): boolean {
    return super.has(this.key(path));
  }

  override set(path: string, value: Value): this {
    return super.set(this.key(path), value);
  }

  override delete(path: string): boolean {
    return super.delete(this.key(path));
  }
}

/** The copies of a file in several worktrees are one. */
export class ByCopy<Value> extends ByPath<Value> {
  readonly #inProject: (path: string) => string;

  constructor(inProject: (path: string) => string) {
    super();
    this.#inProject = inProject;
  }

  protected override key(path: string): string {
    const own = super.key(path);
    // It was named before git named its worktree.
    return Map.prototype.has.call(this, own) ? own : super.key(this.#inProject(path));
  }
}

/** Without the copies that are gone, it may stay in another worktree. */
export function hasOther(
  file: { path: string; readonly copies: ByPath<string> },
  isGone: (path: string) => boolean,
): boolean {
  for (const path of file.copies.values()) if (isGone(path)) file.copies.delete(path);
  const [other] = file.copies.values();
  file.path = other ?? file.path;
  return other !== undefined;
}

export function byCount(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}
