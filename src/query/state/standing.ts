import fs from 'node:fs';
import path from 'node:path';
import { atMost, isInside, runGit } from '../../core/platform/index.ts';
import {
  type ChangedFile,
  nothingAsked,
  type OpenNow,
  openNow,
  type SessionAccount,
  type Standing,
} from '../../memory/account/index.ts';
import { addedIn, type Commit, type CommitName, changedIn, commitsIn, logArgs } from './git-output.ts';
import { headOf } from './head.ts';
import { stateBudgetMs } from './states.ts';
import { hashesOf } from './tree.ts';
import { type Worktree, Worktrees } from './worktrees.ts';

const limits = { timeoutMs: 5_000, bytesMax: 2 * 1_048_576 };
const filesMax = 60;
const commitsMax = 2_000;
/** A page shows it when it comes. */
const shownMs = 2_000;
/** Of a session's commits, those whose files are shown: the last. */
const commitsShownMax = 60;
/** Of them, with as many paths in each. */
const logLimits = { ...limits, bytesMax: 16 * 1_048_576 };
/** Of the commits that changed a file, how many are looked at for its lines. */
const triesMax = 8;
/** Of them, those before its last change. */
const triesBeforeMax = 3;
/** Of an edit, the lines by which it is known again. */
const editLinesMax = 12;
const rememberedMax = 2_000;
/** A commit may be dated a little before the edit that it holds: clocks of two records. */
const slackSeconds = 5;

/** The files that a session left open: no call shows their commit. */
export interface OpenFiles {
  /** The folder in which the session ran. */
  readonly root: string | null;
  readonly files: readonly (Pick<ChangedFile, 'path' | 'ts' | 'isGone' | 'lines'> & {
    /** Since when a commit may hold its lines, where that is before its last change. */
    readonly since?: string;
  })[];
}

export function openOf(account: SessionAccount | null): OpenFiles {
  return { root: account?.root ?? null, files: account?.files.filter(({ isOpen }) => isOpen) ?? [] };
}

/** What git says of one file: a commit, null for none, 'open' for changes that no commit has. */
type Found = Commit | 'open' | null;

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
    const work = asked.map(async (open, at) => {
      found[at] = await this.#one(open);
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
    const hashes = (account?.commits ?? []).flatMap(({ hash }) =>
      hash !== null && /^[0-9a-f]{4,64}$/.test(hash) ? [hash] : [],
    );
    if (account === null || hashes.length === 0) return [];
    const place = this.#worktreeOf(account.root).tree.root;
    const args = [
      ...logArgs,
      '--no-walk=unsorted',
      '--ignore-missing',
      ...hashes.slice(-commitsShownMax),
      '--',
    ];
    const { whole, text } = await runGit(place, args, limits);
    const own = new Map(account.files.map(({ path: file }) => [nameIn(place, account.root, file), file]));
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
    const found = new Map<OpenFiles['files'][number], Found>();
    const work = this.#found({ root: null, files }).then((all) => {
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

  async #one(open: OpenFiles): Promise<Standing> {
    // The user may commit while the session goes on.
    const [since] = open.files.map(({ ts }) => ts).sort();
    const files = open.files.map((file) => ({ ...file, since: since ?? file.ts }));
    return files.length === 0 ? nothingAsked : standingOf(await this.#found({ ...open, files }));
  }

  async #found({ root, files }: OpenFiles): Promise<readonly FoundFile[]> {
    const worktree = this.#worktreeOf(root);
    const place = worktree.tree.root;
    const head = await headOf(worktree.git);
    if (this.#remembered.size > rememberedMax) this.#remembered.clear();
    const named = files.slice(0, filesMax).flatMap((file) => {
      const name = nameIn(place, root, file.path);
      const key = [place, head?.key, name, file.since, file.ts, file.lines].join('\0');
      return name === null ? [] : [{ ...file, file, name, key }];
    });
    const unknown = named.filter(({ key }) => !this.#remembered.has(key));
    const answers = await this.#ask(worktree, unknown);
    // Work that no commit has may be committed, or taken back, at any time.
    for (const [key, found] of answers) if (found !== 'open') this.#remembered.set(key, found);
    return named.map(({ key, file }) => ({
      file,
      found: answers.get(key) ?? this.#remembered.get(key) ?? null,
    }));
  }

  async #ask({ tree }: Worktree, files: readonly Asked[]): Promise<ReadonlyMap<string, Found>> {
    if (files.length === 0) return new Map();
    const paths = [...new Set(files.map(({ name }) => name))];
    const git = (args: string[], within = limits) => runGit(tree.root, [...args, '--', ...paths], within);
    const since = Math.min(...files.map(({ ts, since: from = ts }) => secondsOf(from))) - slackSeconds;
    const [status, diff, log] = await Promise.all([
      git(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames']),
      git(['diff', 'HEAD', '--unified=0', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']),
      git([...logArgs, `--since=${since}`, `--max-count=${commitsMax}`], logLimits),
    ]);
    // No repository, or one without a commit.
    if (!status.whole || !log.whole) return new Map();
    const changed = changedIn(status.text);
    const open = addedIn(diff.text);
    const commits = commitsIn(log.text);
    // A log that is cut may lack the commit that holds older work: nothing is said of it.
    const reach = commits.length < commitsMax ? 0 : (commits.at(-1)?.seconds ?? 0);
    const linesIn = versionsIn(tree.root);
    const found = files.map(async (file): Promise<[string, Found]> => {
      // The oldest first.
      const after = commits
        .filter(
          ({ seconds, paths: of }) =>
            seconds >= secondsOf(file.since ?? file.ts) - slackSeconds && of.includes(file.name),
        )
        .toReversed();
      const isChanged = changed.has(file.name);
      if (
        isChanged &&
        isOpen(file, changed.get(file.name) === '??' ? null : (open.get(file.name) ?? new Set()))
      )
        return [file.key, 'open'];
      if (secondsOf(file.ts) < reach) return [file.key, null];
      const last = after.findIndex(({ seconds }) => seconds >= secondsOf(file.ts) - slackSeconds);
      if (file.isGone || file.lines.length === 0) return [file.key, after[last] ?? null];
      const holds = (lines: ReadonlySet<number>): boolean =>
        file.lines.filter((line) => lines.has(line)).length * 2 >= file.lines.length;
      const [only, ...others] = after;
      const now = await tree.lines(file.name);
      if (only !== undefined && others.length === 0 && now.kind === 'lines' && holds(now.lines))
        return [file.key, only];
      // A commit before or after theirs may have changed the file too.
      const from = last < 0 ? after.length - triesMax : last - triesBeforeMax;
      for (const commit of after.slice(Math.max(0, from)).slice(0, triesMax)) {
        if (holds(await linesIn(commit.hash, file.name))) return [file.key, commit];
      }
      return [file.key, null];
    });
    return new Map(await Promise.all(found));
  }
}

interface Asked extends Omit<OpenFiles['files'][number], 'path'> {
  readonly name: string;
  readonly key: string;
}

/** The lines of a file in a commit, none where it has no such file; each is read once. */
function versionsIn(root: string): (commit: string, name: string) => Promise<ReadonlySet<number>> {
  const read = new Map<string, Promise<ReadonlySet<number>>>();
  return (commit, name) => {
    const version = `${commit}:./${name}`;
    const lines =
      read.get(version) ??
      runGit(root, ['show', version], limits).then(({ whole, text }) => hashesOf(whole ? text : ''));
    read.set(version, lines);
    return lines;
  };
}

/** The path from `place`; null outside of it. `root`: the folder from which it was recorded. */
function nameIn(place: string, root: string | null, file: string): string | null {
  const from = root !== null && isInside(place, root) ? root : place;
  const full = path.resolve(from, file);
  if (isInside(place, full)) return path.relative(place, full);
  // Recorded where the project was before, or in a worktree that is gone.
  return root !== null && isInside(root, file) ? path.relative(root, file) : null;
}

/** Whether lines of the session are among those that no commit has; `added` null: the whole file is new. */
function isOpen({ lines, isGone }: Asked, added: ReadonlySet<number> | null): boolean {
  if (added === null || isGone || lines.length === 0) return true;
  return lines.some((line) => added.has(line));
}

interface FoundFile {
  readonly file: OpenFiles['files'][number];
  readonly found: Found;
}

function standingOf(files: readonly FoundFile[]): Standing {
  const committed = new Map<string, { hash: string; subject: string; files: number }>();
  const commits = files.flatMap(({ found }) => (found === null || found === 'open' ? [] : [found]));
  for (const { hash, subject } of commits.sort((a, b) => a.seconds - b.seconds))
    committed.set(hash, { hash, subject, files: (committed.get(hash)?.files ?? 0) + 1 });
  return {
    uncommitted: files.flatMap(({ file, found }) => (found === 'open' ? [file.path] : [])),
    committed: [...committed.values()],
  };
}

function secondsOf(ts: string): number {
  return Math.floor(Date.parse(ts) / 1_000);
}
