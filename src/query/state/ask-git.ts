import { runGit } from '#core/platform';
import { addedIn, type Commit, changedIn, commitsIn, logArgs } from './git-output.ts';
import type { OpenFile } from './open-files.ts';
import type { Tree } from './tree.ts';
import { versionsOf } from './versions.ts';

export const gitLimits = { timeoutMs: 5_000, bytesMax: 2 * 1_048_576 };
const commitsMax = 2_000;
/** With as many paths in each. */
const logLimits = { ...gitLimits, bytesMax: 16 * 1_048_576 };
/** Of the commits that changed a file, how many are looked at for its lines. */
const triesMax = 8;
/** Of them, those before its last change. */
const triesBeforeMax = 3;
/** A commit may be dated a little before the edit that it holds: clocks of two records. */
const slackSeconds = 5;

/** What git says of one file: a commit, null for none, 'open' for changes that no commit has. */
export type Found = Commit | 'open' | null;

export interface Asked extends Omit<OpenFile, 'path'> {
  /** Its session. */
  readonly of: number;
  /** In the working tree. */
  readonly name: string;
  readonly key: string;
}

/** Asks the git of one working tree for files, once for all of them. By key; what it does not know is not in it. */
export async function askGit(tree: Tree, files: readonly Asked[]): Promise<ReadonlyMap<string, Found>> {
  if (files.length === 0) return new Map();
  const paths = [...new Set(files.map(({ name }) => name))];
  const git = (args: string[], within = gitLimits) => runGit(tree.root, [...args, '--', ...paths], within);
  const since = Math.min(...files.map(beginOf));
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
  const sessions = [...new Set(files.map(({ of }) => of))];
  if (reach > 0 && sessions.length > 1) {
    const alone = sessions.map((one) => files.filter(({ of }) => of === one));
    return joined(await Promise.all(alone.map((own) => askGit(tree, own))));
  }
  const byName = new Map<string, Commit[]>(paths.map((name) => [name, []]));
  // The oldest first.
  for (const commit of commits.toReversed()) for (const name of commit.paths) byName.get(name)?.push(commit);
  const found = new Map<string, Found>();
  const sought: Sought[] = [];
  for (const file of files) {
    const { key, name, ts, isGone, lines } = file;
    const { after, last } = commitsSince(file, byName.get(name) ?? []);
    const isChanged = changed.has(name) && isOpen(file, changed.get(name) === '??' ? null : open.get(name));
    if (isChanged) found.set(key, 'open');
    else if (secondsOf(ts) < reach) found.set(key, null);
    else if (isGone || lines.length === 0) found.set(key, after[last] ?? null);
    else sought.push({ file, after, last });
  }
  return joined([found, await holders(tree, sought)]);
}

/** `commits`: those that changed the file, the oldest first. */
function commitsSince(file: Asked, commits: readonly Commit[]): Pick<Sought, 'after' | 'last'> {
  const begin = beginOf(file);
  const after = commits.filter(({ seconds }) => seconds >= begin);
  return { after, last: after.findIndex(({ seconds }) => seconds >= secondsOf(file.ts) - slackSeconds) };
}

interface Sought {
  readonly file: Asked;
  /** The commits that changed it since its session began with it. */
  readonly after: readonly Commit[];
  /** The first of them since its last change; -1: none. */
  readonly last: number;
}

/** For each file the first commit that has its lines. */
async function holders(tree: Tree, sought: readonly Sought[]): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const waiting = new Map<Asked, readonly Commit[]>();
  for (const { file, after, last } of sought) {
    const [only, ...others] = after;
    const now = only !== undefined && others.length === 0 ? await tree.lines(file.name) : null;
    if (only !== undefined && now?.kind === 'lines' && holds(now.lines, file)) found.set(file.key, only);
    else {
      // A commit before or after theirs may have changed the file too.
      const from = last < 0 ? after.length - triesMax : last - triesBeforeMax;
      waiting.set(file, after.slice(Math.max(0, from)).slice(0, triesMax));
    }
  }
  for (let nth = 0; waiting.size > 0; nth += 1) {
    const asked = [...waiting].flatMap(([file, commits]) => {
      const commit = commits[nth];
      if (commit !== undefined) return [{ file, commit, version: `${commit.hash}:./${file.name}` }];
      found.set(file.key, null);
      waiting.delete(file);
      return [];
    });
    const names = asked.map(({ version }) => version);
    const versions = await versionsOf(tree.root, names);
    if (versions === null) break;
    for (const { file, commit, version } of asked)
      if (holds(versions.get(version) ?? new Set(), file)) {
        found.set(file.key, commit);
        waiting.delete(file);
      }
  }
  return found;
}

function holds(there: ReadonlySet<number>, { lines }: Asked): boolean {
  return lines.filter((line) => there.has(line)).length * 2 >= lines.length;
}

/** Whether lines of the session are among those that no commit has; `added` null: the whole file is new. */
function isOpen({ lines, isGone }: Asked, added: ReadonlySet<number> | null | undefined): boolean {
  return added === null || isGone || lines.length === 0 || lines.some((line) => added?.has(line) === true);
}

function beginOf({ ts, since = ts }: Asked): number {
  return secondsOf(since) - slackSeconds;
}

function secondsOf(ts: string): number {
  return Math.floor(Date.parse(ts) / 1_000);
}

function joined(maps: readonly ReadonlyMap<string, Found>[]): ReadonlyMap<string, Found> {
  return new Map(maps.flatMap((one) => [...one]));
}
