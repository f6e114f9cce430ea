import { runGit } from '#core/platform';
import { hashesOf } from './tree.ts';

const limits = { timeoutMs: 5_000, bytesMax: 16 * 1_048_576 };

/** The hashes of the lines of files in commits, by `COMMIT:./PATH`; null when git did not say all. A file that is not there has none. */
export async function versionsOf(
  root: string,
  asked: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<number>> | null> {
  const names = [...new Set(asked)].filter((name) => !name.includes('\n'));
  if (names.length === 0) return new Map();
  const input = names.map((name) => `${name}\n`).join('');
  // Sizes are in bytes.
  const given = { ...limits, input, encoding: 'latin1' as const };
  const { whole, text } = await runGit(root, ['cat-file', '--batch'], given);
  if (!whole) return null;
  const found = new Map<string, ReadonlySet<number>>();
  let at = 0;
  for (const name of names) {
    const begin = text.indexOf('\n', at) + 1;
    const [, kind, size] = /^[0-9a-f]{40,64} (\w+) (\d+)\n$/.exec(text.slice(at, begin)) ?? [];
    at = size === undefined ? begin : begin + Number(size) + 1;
    const bytes = kind === 'blob' ? Buffer.from(text.slice(begin, at - 1), 'latin1') : '';
    found.set(name, hashesOf(bytes.toString('utf8')));
  }
  return found;
}
