import { runGit } from '#core/platform';
import { type GitFolders, headOf } from './head.ts';

const historyLimits = { timeoutMs: 30_000, bytesMax: 4 * 1_048_576, isBackground: true };
const sinceLimits = { timeoutMs: 5_000, bytesMax: 1_048_576 };
const commitsMax = 20_000;
const hopsMax = 20;
const headFreshMs = 20;
const startLaterMs = 60;

/** What happened to a path last, by the history of HEAD. */
export interface Fate {
  /** The new path; null when the file was removed. */
  readonly to: string | null;
  /** Abbreviated. */
  readonly commit: string;
}

type Fates = Map<string, Fate>;

/**
 * Renames and removals in the history of a working tree's HEAD: one `git log`, and a short one after each commit. Both run in
 * the background; who asks waits for the part that concerns a new HEAD.
 */
export class History {
  readonly #root: string;
  readonly #git: GitFolders;
  #key = '';
  /** Seen, and not yet read. */
  #next: string | null = null;
  #commit: string | null = null;
  #fates: Fates | null = null;
  #reading: Promise<void> | null = null;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | null = null;

  constructor(root: string, git: GitFolders) {
    this.#root = root;
    this.#git = git;
  }

  /** Begins to read what is new. */
  async refresh(): Promise<void> {
    if (this.#checking !== null && performance.now() - this.#checkedMs < headFreshMs) return this.#checking;
    this.#checkedMs = performance.now();
    this.#checking = this.#refresh();
    return this.#checking;
  }

  async #refresh(): Promise<void> {
    const head = await headOf(this.#git);
    if (head === null) {
      this.#fates = null;
      this.#key = '';
      return;
    }
    if (head.key === this.#key) return;
    this.#key = head.key;
    this.#next = head.commit ?? 'HEAD';
    // What is answered now mostly needs no git, and a program started first would hold it up.
    setTimeout(() => this.#start(), startLaterMs).unref();
  }

  /** Reads up to the last HEAD that was seen, after what is being read. */
  #start(): void {
    const next = this.#next;
    if (next === null) return;
    this.#next = null;
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#read(next));
  }

  /** The last fate of a path, followed through further renames; null when history knows of none, or without git. */
  async fateOf(name: string): Promise<Fate | null> {
    await this.refresh();
    this.#start();
    await this.#reading;
    let fate: Fate | null = null;
    const seen = new Set([name]);
    for (let at = name; seen.size <= hopsMax; ) {
      const next = this.#fates?.get(at);
      if (next === undefined) return fate;
      fate = next;
      if (next.to === null || seen.has(next.to)) return fate;
      at = next.to;
      seen.add(at);
    }
    return fate;
  }

  async #read(commit: string): Promise<void> {
    const former = this.#commit;
    this.#commit = commit;
    if (this.#fates !== null && former !== null && former !== 'HEAD' && commit !== 'HEAD') {
      const since = await runGit(this.#root, [...logArgs, `${former}..${commit}`], sinceLimits);
      if (since.whole) {
        for (const [name, fate] of fatesIn(since.text)) this.#fates.set(name, fate);
        void this.#checkLine(former, commit);
        return;
      }
    }
    await this.#readAll(commit);
  }

  /** After a checkout or a rebase the former history is no part of this one, and all is read again. */
  async #checkLine(former: string, commit: string): Promise<void> {
    const left = await runGit(this.#root, ['rev-list', '--max-count=1', former, `^${commit}`], sinceLimits);
    if (left.whole && left.text === '') return;
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#readAll(commit));
  }

  async #readAll(commit: string): Promise<void> {
    const all = await runGit(this.#root, [...logArgs, commit], historyLimits);
    this.#fates = fatesIn(all.text);
  }
}

const logArgs = [
  ...['log', '-z', '--name-status', '-M', '-l400', '--diff-filter=RD', '--format=%x01%h', '--no-ext-diff'],
  ...['--no-textconv', '--no-show-signature', '--no-mailmap', '--no-color', `--max-count=${commitsMax}`],
];

/** The newest fate of each path in the output of `log -z --name-status`. */
function fatesIn(text: string): Fates {
  const fates: Fates = new Map();
  let commit = '';
  const tokens = text.split('\0');
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]?.replace(/^\n/, '') ?? '';
    if (token.startsWith('\x01')) {
      commit = token.slice(1);
    } else if (token === 'D' || /^R\d+$/.test(token)) {
      const from = tokens[++at];
      const to = token === 'D' ? null : tokens[++at];
      // The last one may be cut.
      if (from === undefined || to === undefined || at === tokens.length - 1) break;
      if (!fates.has(from)) fates.set(from, { to, commit });
    }
  }
  return fates;
}
