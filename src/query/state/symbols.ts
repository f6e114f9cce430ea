import { runGit } from '#core/platform';

const limits = { timeoutMs: 3_000, bytesMax: 65_536 };
const nothingFound = 1;
const grepArgs = [
  ...['grep', '-z', '-l', '-I', '-F', '-w', '--no-color', '--no-textconv', '--no-recurse-submodules'],
  '--threads=1',
];

/** Whether any of `names` occurs as a whole word in the working tree. A search that does not end counts as found: nothing is then said to be lost. */
export async function anyOccurs(root: string, names: readonly string[]): Promise<boolean> {
  const args = [...grepArgs, ...names.flatMap((name) => ['-e', name])];
  const { text, whole, code } = await runGit(root, args, limits);
  return text !== '' || (!whole && code !== nothingFound);
}
