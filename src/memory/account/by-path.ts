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
