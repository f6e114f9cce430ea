import { runGit } from './git.ts';

const limits = { timeoutMs: 3_000, bytesMax: 65_536 };

/** Whether names of code occur in the working tree, by `git grep`. */
export class Symbols {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether any of `names` occurs as a whole word. A search that does not end counts as found: nothing is then said to be lost. */
  async any(names: readonly string[]): Promise<boolean> {
    const { text, whole, code } = await runGit(
      this.#root,
      [...grepArgs, ...names.flatMap((name) => ['-e', name])],
      limits,
    );
    return text !== '' || (!whole && code !== nothingFound);
  }
}

const nothingFound = 1;
const grepArgs = [
  ...['grep', '-z', '-l', '-I', '-F', '-w', '--no-color', '--no-textconv', '--no-recurse-submodules'],
  '--threads=1',
];
