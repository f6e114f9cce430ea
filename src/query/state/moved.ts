import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { runGit } from '../../core/platform/index.ts';
import type { GitFolders } from './head.ts';

/** With more files a search of all of them takes seconds. */
const searchedFilesMax = 20_000;
const grepLimits = { timeoutMs: 3_000, bytesMax: 1_048_576 };
const patternsMax = 120;
const linesOfOneMax = 6;
/** A shorter line occurs by chance. */
const patternCharsMin = 13;
/** Fewer characters in all are no sign of a move. */
const movedCharsMin = 24;
/** A line in more files is a common one. */
const filesMax = 3;
const keptMax = 2_000;

interface Wanted {
  readonly key: string;
  readonly own: string;
  readonly lines: readonly string[];
  readonly done: (target: string | null) => void;
}

/**
 * Finds the file to which lines moved, by one `git grep` for all edits of a search. The answer is a place to look at: who uses
 * it reads the file.
 */
export class Moved {
  readonly #root: string;
  readonly #git: GitFolders;
  readonly #kept = new Map<string, string | null>();
  #head: string | null = null;
  #wanted: Wanted[] = [];
  #isRunning = false;

  constructor(root: string, git: GitFolders) {
    this.#root = root;
    this.#git = git;
  }

  /** What was found holds for one HEAD. Null: there is no git. */
  at(head: string | null): void {
    if (head !== this.#head) this.#kept.clear();
    this.#head = head;
  }

  /** The file that holds `lines`, none of which is in `own` (any more); null when there is none or too much to search. */
  async to(id: number, own: string, lines: readonly string[]): Promise<string | null> {
    const long = lines
      .filter(({ length }) => length >= patternCharsMin)
      .sort((one, other) => other.length - one.length)
      .slice(0, linesOfOneMax);
    const key = `${id} ${own}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#head === null || long.length === 0) return null;
    const found = new Promise<string | null>((done) => {
      this.#wanted.push({ key, own, lines: long, done });
    });
    if (!this.#isRunning) void this.#run();
    return found;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Until the other edits of the same search have asked.
    const isSearched = await isSmall(this.#git);
    while (this.#wanted.length > 0) {
      const wanted = this.#wanted;
      this.#wanted = [];
      const targets = isSearched ? await this.#search(wanted) : [];
      for (const [at, { key, done }] of wanted.entries()) {
        const target = targets[at] ?? null;
        if (this.#kept.size >= keptMax) this.#kept.clear();
        this.#kept.set(key, target);
        done(target);
      }
    }
    this.#isRunning = false;
  }

  async #search(wanted: readonly Wanted[]): Promise<(string | null)[]> {
    const patterns = [...new Set(wanted.flatMap(({ lines }) => lines))].slice(0, patternsMax);
    const { text } = await runGit(
      this.#root,
      [...grepArgs, ...patterns.flatMap((line) => ['-e', line])],
      grepLimits,
    );
    const holders = new Map<string, Set<string>>();
    for (const line of text.split('\n')) {
      const [file, said] = line.split('\0');
      if (file === undefined || said === undefined) continue;
      const plain = said.trim().replace(/\s+/g, ' ');
      holders.set(plain, (holders.get(plain) ?? new Set()).add(file));
    }
    return wanted.map((one) => targetOf(one, holders));
  }
}

const grepArgs = [
  ...['grep', '-z', '-I', '-F', '--full-name', '--no-color', '--no-textconv', '--no-recurse-submodules'],
  ...['--no-line-number', '--no-column', '--threads=1'],
];

/** The file with most of the lines that few files have. */
function targetOf({ own, lines }: Wanted, holders: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  const weights = new Map<string, number>();
  for (const line of lines) {
    const files = [...(holders.get(line) ?? [])].filter((file) => file !== own);
    if (files.length > filesMax) continue;
    for (const file of files) weights.set(file, (weights.get(file) ?? 0) + line.length);
  }
  const [best] = [...weights].sort(([, a], [, b]) => b - a);
  return best !== undefined && best[1] >= movedCharsMin ? best[0] : null;
}

/** By the count in the header of git's index. */
async function isSmall({ own }: GitFolders): Promise<boolean> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await fs.open(path.join(own, 'index'), flags);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
      return (
        bytesRead === 12 &&
        buffer.toString('latin1', 0, 4) === 'DIRC' &&
        buffer.readUInt32BE(8) <= searchedFilesMax
      );
    } finally {
      await file.close();
    }
  } catch {
    // Without an index there is nothing to search.
    return false;
  }
}
