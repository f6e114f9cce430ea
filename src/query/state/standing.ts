import fs from 'node:fs';
import path from 'node:path';
import { atMost, isInside, runGit } from '#core/platform';
import { nothingAsked, type OpenNow, openNow, type SessionAccount, type Standing } from '#memory/account';
import { askGit, type Found, gitLimits } from './ask-git.ts';
import { type CommitName, commitsIn, logArgs } from './git-output.ts';
import { headOf } from './head.ts';
import { type FileOf, type OpenFile, type OpenFiles, openOf, togetherOf } from './open-files.ts';
import { stateBudgetMs } from './states.ts';
import { type Worktree, Worktrees } from './worktrees.ts';

const filesMax = 60;
/** A page shows it when it comes. */
const shownMs = 2_000;
/** Of a session's commits, those whose files are shown: the last. */
const commitsShownMax = 60;
/** Of an edit, the lines by which it is known again. */
const editLinesMax = 12;
const rememberedMax = 6_000;

/** Asks git whether the changes of sessions are committed, and in which commit. What a HEAD holds is remembered as long as it is HEAD. */
export class Standings {
  readonly #worktrees: Worktrees;
  readonly #remembered = new Map<string, Found>();

  /** `root` is the workspace's folder. */
  constructor(root: string) {
    this.#worktrees = new Worktrees(fs.realpathSync(root));
  }

  /** One for each of `asked`; what is not known in time says nothing, and is known the next time. */
  async of(asked: readonly OpenFiles[], budgetMs: number = stateBudgetMs): Promise<readonly Standing[]> {
    const found = asked.map(() => nothingAsked);
    const work = togetherOf(asked).map(async (files) => {
      const answers = await this.#found(files);
      for (const at of new Set(files.map(({ of }) => of)))
        found[at] = standingOf(answers.filter(({ of }) => of === at));
    });
    await atMost(Promise.allSettled(work), budgetMs);
    return [...found];
  }

  /** The same of one session, in words, and the files of its commits. */
  async now(account: SessionAccount | null, budgetMs: number = shownMs): Promise<OpenNow> {
    let commits: OpenNow['commits'] = [];
    const asked = this.#commitsOf(account).then((found) => {
      commits = found;
    });
    const [[standing]] = await Promise.all([this.of([openOf(account)], budgetMs), atMost(asked, budgetMs)]);
    return { ...openNow(account, standing), commits };
  }

  /** Those that git still has. */
  async #commitsOf(account: SessionAccount | null): Promise<OpenNow['commits']> {
    // What a merge brings has a commit of its own mostly, which comes behind it.
    const isMerge = ({ text }: { text: string }): number => Number(/^merge\b/i.test(text));
    const made = account?.commits.toSorted((one, other) => isMerge(other) - isMerge(one)) ?? [];
    const hashes = made.flatMap(({ hash }) => (hash !== null && /^[0-9a-f]{4,64}$/.test(hash) ? [hash] : []));
    if (account === null || hashes.length === 0) return [];
    const place = this.#worktreeOf(account.root).tree.root;
    const last = hashes.slice(-commitsShownMax);
    const args = [...logArgs, '--no-walk=unsorted', '--ignore-missing', ...last, '--'];
    const { whole, text } = await runGit(place, args, gitLimits);
    const own = new Map(
      account.files.map(({ path: file }) => [this.#placeOf(account.root, file)?.name, file]),
    );
    const isWhole = account.filesCount <= account.files.length;
    return (whole ? commitsIn(text) : []).map(({ hash, paths }) => ({
      hash,
      files: paths.flatMap((name) => own.get(name) ?? []),
      // An account names only so many files: of the others it is not known who edited them.
      foreign: paths.filter((name) => isWhole && name !== '' && !own.has(name)).slice(0, filesMax),
    }));
  }

  #worktreeOf(root: string | null): Worktree {
    // The worktree in which a session ran, if there still is one.
    const inside = root === null ? null : this.#worktrees.holding(path.join(root, 'x'));
    return inside?.worktree ?? this.#worktrees.first();
  }

  /** The same for edits of one file of the project, by the hashes of lines that they added; null: not known, or no commit has them. */
  async ofEdits(
    path: string,
    edits: readonly { readonly ts: string; readonly lines: readonly number[] }[],
    budgetMs: number,
  ): Promise<readonly (CommitName | 'open' | null)[]> {
    const files = edits.map(({ ts, lines }) => ({
      ...{ path, ts, isGone: false },
      lines: lines.slice(-editLinesMax),
    }));
    const found = new Map<OpenFile, Found>();
    const work = this.#found(files.map((file) => ({ of: 0, root: null, file }))).then((all) => {
      for (const one of all) found.set(one.file, one.found);
    });
    if (files.length > 0) await atMost(work, budgetMs);
    return files.map((file) => {
      const one = found.get(file) ?? null;
      return one === null || one === 'open' ? one : { hash: one.hash, subject: one.subject };
    });
  }

  /** Those of `paths` that are in no working tree of the project. */
  async missing(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const there = await Promise.all(paths.map((name) => this.#worktrees.has(name)));
    return new Set(paths.filter((_, at) => there[at] === false));
  }

  async #found(asked: readonly FileOf[]): Promise<readonly FoundFile[]> {
    if (this.#remembered.size > rememberedMax) this.#remembered.clear();
    const placed = asked.flatMap((one) => {
      const place = this.#placeOf(one.root, one.file.path);
      return place === null ? [] : [{ ...one, ...place }];
    });
    const trees = [...new Set(placed.map(({ worktree }) => worktree))];
    const found = trees.map(async (worktree) => {
      const head = await headOf(worktree.git);
      const named = placed
        .filter((one) => one.worktree === worktree)
        .map(({ name, of, file }) => {
          const { since, ts, lines } = file;
          return { of, file, name, key: [worktree.tree.root, head?.key, name, since, ts, lines].join('\0') };
        });
      const answers = await askGit(
        worktree.tree,
        named.flatMap(({ file, ...one }) => (this.#remembered.has(one.key) ? [] : [{ ...file, ...one }])),
      );
      // Work that no commit has may be committed, or taken back, at any time.
      for (const [key, answer] of answers) if (answer !== 'open') this.#remembered.set(key, answer);
      return named.map(({ of, file, name, key }) => {
        return { of, file, name, found: answers.get(key) ?? this.#remembered.get(key) ?? null };
      });
    });
    return (await Promise.all(found)).flat();
  }

  /** Where git knows a file that was recorded from `root`; null: in no working tree. */
  #placeOf(root: string | null, file: string): { readonly worktree: Worktree; readonly name: string } | null {
    const worktree = this.#worktreeOf(root);
    const place = worktree.tree.root;
    const full = path.resolve(root !== null && isInside(place, root) ? root : place, file);
    // Recorded where the project was before, or in a worktree that is gone.
    const former = this.#worktrees.former(full);
    const name = root !== null && isInside(root, file) ? path.relative(root, file) : former;
    const found = this.#worktrees.holding(full) ?? (name === null ? null : { worktree, name });
    // Git refuses all that it is asked with such a name.
    return found === null || found.name === '' || found.name.includes('\0') ? null : found;
  }
}

interface FoundFile extends Pick<FileOf, 'of' | 'file'> {
  /** In the working tree. */
  readonly name: string;
  readonly found: Found;
}

function standingOf(files: readonly FoundFile[]): Standing {
  const placed = files.flatMap((one) =>
    one.found === null || one.found === 'open' ? [] : [{ ...one, found: one.found }],
  );
  const commits = new Map(placed.map(({ found }) => [found.hash, found]));
  return {
    uncommitted: files.flatMap(({ file, found }) => (found === 'open' ? [file.path] : [])),
    committed: [...commits.values()]
      .sort((a, b) => a.seconds - b.seconds)
      .map(({ hash, subject, seconds, paths }) => {
        // Found is the commit of its last changes: one before may have the others.
        const own = placed.filter(
          ({ name, found }) => found.hash === hash || (seconds <= found.seconds && paths.includes(name)),
        );
        return { hash, subject, files: own.map(({ file }) => file.path) };
      }),
  };
}
