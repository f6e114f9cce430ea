import { isAbsolute, resolve } from 'node:path';
import { digestNamesMax } from '#core/limits';
import { type Call, commandText, familyOf } from '#reading/call';
import { commandRun } from '#reading/checks';
import { folderOf } from '#reading/shell';
import { plainPath } from '#reading/text';
import type { Place } from './turn.ts';

/** What git and its commands say of the files of a session that no call shows. */
export class GitTalk {
  /** Linked worktrees, which may stand in a temporary folder. */
  readonly #trees = new Set<string>();
  /** Those of them that are the project's. */
  readonly #own = new Set<string>();
  /** What `git add` named since the last commit. */
  readonly #staged = new Set<string>();
  /** The commands that may have written files which no call shows. */
  #writers: { readonly said: string; readonly place: Place }[] = [];

  take(call: Call): void {
    if (familyOf(call) !== 'command') return;
    const run = commandRun(call);
    const folder = folderOf(call);
    if (/\bgit\b.{0,200} worktree (?:add|list)\b/.test(run.command))
      for (const [, listed, added] of `${call.result.text}\n${commandText(call)}`.matchAll(treeOf)) {
        const tree = `${resolve(folder ?? '/', listed ?? added ?? '')}/`;
        if (this.#trees.size < digestNamesMax) this.#trees.add(tree);
        const isOwn =
          folder !== null && !isAbsolute(plainPath(folder, call.cwd)) && !/ -C /.test(run.command);
        if (isOwn && this.#trees.has(tree)) this.#own.add(tree);
      }
    for (const { step } of run.others) {
      if (step.words[0] !== 'git' || step.words[1] !== 'add') continue;
      for (const word of step.words.slice(2)) {
        const path = word.replace(/^(["'])(.*)\1$/s, '$2');
        const isFile = folder !== null && /^[\w@./-]+\.\w+$/.test(path);
        if (isFile && this.#staged.size < digestNamesMax)
          this.#staged.add(plainPath(resolve(folder, path), call.cwd));
      }
    }
  }

  isInTree(path: string): boolean {
    return [...this.#trees].some((tree) => path.startsWith(tree));
  }

  /** The path of a file of a linked worktree in the project. */
  inProject(path: string): string {
    const trees = [...this.#own].filter((one) => path.startsWith(one)).map(({ length }) => length);
    return path.slice(Math.max(...trees, treeInside.exec(path)?.[0].length ?? 0));
  }

  /** A command that may write files. */
  wrote(call: Call, place: Place): void {
    const { shell, others } = commandRun(call);
    const steps = others.flatMap(({ step }) => (step.words[0] === 'git' ? [] : [step.words.join(' ')]));
    const said = [...steps, ...shell.documents].join('\n').replaceAll('\\', '/');
    this.#writers = [...this.#writers, { said: said.slice(0, writerCharsMax), place }].slice(-writersMax);
  }

  /** At a commit: what a command named was written by it, where `git add` named it too. Others may have changed the rest. */
  written(): readonly Written[] {
    const found = [...this.#staged].flatMap((path) => {
      const by = this.#writers.findLast(({ said }) => said.includes(path));
      return by === undefined ? [] : [{ path, place: by.place }];
    });
    this.#staged.clear();
    return found;
  }
}

/** A file, and the command that wrote it. */
interface Written {
  readonly path: string;
  readonly place: Place;
}

const writersMax = 100;
const writerCharsMax = 8_000;
/** A line of `git worktree list`, and the folder of `git worktree add`. */
const treeOf =
  /^(\/\S+) +[0-9a-f]{7,40} \[|\bworktree add (?:-\S+ (?:[^\s/-]\S* )?){0,8}["']?((?:\.\.)?\/[^\s"';&|]+)/gm;

/** A folder `worktree` of the project has sources. */
const treeInside = /^(?:\.[\w-]+\/worktrees?|\.worktrees?|worktrees)\/[^/]+\/(?=.)/;

/** Whether a command takes the changes of a path back; null when it takes none back. */
export function takenBack(call: Call): ((path: string) => boolean) | null {
  if (call.result.failed || familyOf(call) !== 'command') return null;
  const paths = commandRun(call).others.flatMap(({ step }) => restored(step.words) ?? []);
  const folder = plainPath(folderOf(call) ?? '.', call.cwd);
  const isElsewhere = isAbsolute(folder);
  // The command may stand in another folder.
  const isNamed = (path: string, one: string): boolean =>
    (/^(?:\.|:\/)$/.test(one) && isElsewhere && isAbsolute(path)) ||
    (one === ':/' && !isElsewhere) ||
    (one === '.' && (folder === '.' || path.startsWith(`${folder}/`))) ||
    one === path ||
    path.startsWith(`${one}/`) ||
    (one.includes('.') && path.endsWith(`/${one}`));
  return paths.length === 0 ? null : (path) => paths.some((one) => isNamed(path, one));
}

/** The paths whose changes a git command takes back; null for another command. */
function restored([program, verb, ...rest]: readonly string[]): readonly string[] | null {
  if (program !== 'git') return null;
  const paths = rest
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/^(["'])(.*)\1$/s, '$2').replace(/\/$/, ''));
  if (verb === 'restore') return rest.includes('--staged') ? null : paths;
  if (verb === 'checkout')
    return rest.includes('--') || paths.includes('.')
      ? paths
      : paths.filter((one) => /\.\w{1,8}$/.test(one) || rest.includes(`${one}/`));
  return verb === 'reset' && rest.includes('--hard') ? [':/'] : null;
}

/** Whether it takes files from another commit than the last: `git checkout main -- FILE`. */
export function takesOther(call: Call): boolean {
  return commandRun(call).others.some(({ step: { words } }) => otherCommit.test(words.join(' ')));
}

const otherCommit =
  /^git (?:checkout (?:-\S+ )*(?!HEAD |-)\S+ -- |restore (?:.* )?(?:-s ?|--source[= ])(?!HEAD(?: |$))|reset (?:.* )?(?:HEAD[~^@]|(?!HEAD\b)[^-\s]))/;

/** Git's own files are never committed. */
export function isInGit(path: string): boolean {
  return /(?:^|\/)\.git\//.test(path);
}
