import fs from 'node:fs';
import path from 'node:path';
import { orElse } from '#core/platform';
import { workspaceRoot } from '#core/workspace';
import type { GitFolders } from './head.ts';
import { History } from './history.ts';
import { Tree } from './tree.ts';

const worktreesMax = 32;
const gitFileBytesMax = 4_096;
const lookFreshMs = 20;

/** A working tree of the project with its history. */
export interface Worktree {
  /** Empty for the main one. */
  readonly name: string;
  readonly git: GitFolders;
  readonly tree: Tree;
  readonly history: History;
}

/**
 * The working trees of a project: its folder, and the linked worktrees of its repository, which share its memory. The folder of a bare
 * repository is no working tree.
 */
export class Worktrees {
  readonly #root: string;
  readonly #common: string;
  readonly #main: Worktree | null;
  readonly #linked = new Map<string, Worktree>();
  #stamp = '';
  #lookedMs = Number.NEGATIVE_INFINITY;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
    const isBare =
      !fs.existsSync(path.join(root, '.git')) &&
      ['HEAD', 'objects', 'refs'].every((name) => fs.existsSync(path.join(root, name)));
    this.#common = isBare ? root : path.join(root, '.git');
    this.#main = isBare ? null : worktree('', root, { own: this.#common, common: this.#common });
  }

  /** The main one first. */
  all(): readonly Worktree[] {
    this.#look();
    return [...(this.#main === null ? [] : [this.#main]), ...this.#linked.values()];
  }

  /** Where the project's work is: the one in which the asker is (a folder), then the main one, of a bare repository each. */
  near(asker: string | null): readonly Worktree[] {
    const own = asker === null ? undefined : this.holding(path.join(asker, 'x'))?.worktree;
    return [...new Set([...(own ? [own] : []), ...(this.#main === null ? this.all() : [this.#main])])];
  }

  /** Whether a file or folder of this name is in one of them. */
  async has(name: string): Promise<boolean> {
    return (await Promise.all(this.all().map(({ tree }) => tree.has(name)))).includes(true);
  }

  /** The one to ask of the project as a whole. */
  first(): Worktree {
    const [first] = this.all();
    return first ?? worktree('', this.#root, { own: this.#common, common: this.#common });
  }

  /** The innermost one that holds a path, and the path in it. */
  holding(full: string): { readonly worktree: Worktree; readonly name: string } | null {
    const found = this.all().flatMap((one) => {
      const name = below(one.tree.root, full);
      return name === null ? [] : [{ worktree: one, name }];
    });
    return found.sort((one, other) => one.name.length - other.name.length)[0] ?? null;
  }

  /** The path in the project of a file that was in a worktree next to it (`mill-rye` next to `mill`), which is not there any more. */
  former(full: string): string | null {
    const next = path.dirname(this.#root);
    const [folder = '', ...rest] = below(next, full)?.split('/') ?? [];
    const own = path.basename(this.#root);
    // `millstone` is another project.
    const isNamed = folder.startsWith(own) && !/^\p{L}/u.test(folder.slice(own.length)) && rest.length > 0;
    return isNamed && !fs.existsSync(path.join(next, folder)) ? rest.join('/') : null;
  }

  /** Reads git's list of worktrees when it has changed (gitrepository-layout(5)). */
  #look(): void {
    // One answer asks many times.
    if (performance.now() - this.#lookedMs < lookFreshMs) return;
    this.#lookedMs = performance.now();
    const folder = path.join(this.#common, 'worktrees');
    const stat = fs.statSync(folder, { throwIfNoEntry: false });
    const stamp = stat === undefined ? 'none' : `${stat.mtimeMs} ${stat.ino}`;
    for (const [own, { tree }] of this.#linked) if (!fs.existsSync(tree.root)) this.#linked.delete(own);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    const names = stat === undefined ? [] : fs.readdirSync(folder).slice(0, worktreesMax);
    for (const own of this.#linked.keys()) if (!names.includes(path.basename(own))) this.#linked.delete(own);
    for (const name of names) {
      const own = path.join(folder, name);
      const root = this.#linked.has(own) ? null : rootOf(own, this.#root);
      if (root !== null)
        this.#linked.set(own, worktree(path.basename(root), root, { own, common: this.#common }));
    }
  }
}

function worktree(name: string, root: string, git: GitFolders): Worktree {
  return { name, git, tree: new Tree(root), history: new History(root, git) };
}

/** The folder of a linked worktree, if it belongs to this workspace: any program may write a list of worktrees. */
function rootOf(own: string, workspace: string): string | null {
  // It was removed.
  return orElse(() => {
    const list = path.join(own, 'gitdir');
    const { size } = fs.lstatSync(list);
    if (size > gitFileBytesMax) return null;
    const mark = path.resolve(own, fs.readFileSync(list, 'utf8').trim());
    const root = fs.realpathSync.native(path.dirname(mark));
    return workspaceRoot({ cwd: root, home: path.parse(root).root }) === workspace ? root : null;
  }, null);
}

/** The path of `full` below `folder`, or null. */
export function below(folder: string, full: string): string | null {
  const rest = path.relative(folder, full);
  return rest === '' || rest === '..' || rest.startsWith('../') || path.isAbsolute(rest) ? null : rest;
}
