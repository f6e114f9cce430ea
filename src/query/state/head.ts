import fs from 'node:fs/promises';
import path from 'node:path';
import { readRegular } from './tree.ts';

const headBytesMax = 4_096;

/**
 * What the repository's HEAD is, read without git: a text that changes with every commit and checkout. Null when the workspace is no
 * repository of its own.
 */
export async function headOf(
  root: string,
): Promise<{ readonly key: string; readonly commit: string | null } | null> {
  const folder = path.join(root, '.git');
  try {
    if (!(await fs.lstat(folder)).isDirectory()) return null;
    const head = await smallFile(root, path.join(folder, 'HEAD'));
    if (head === null) return null;
    const ref = /^ref: (refs\/[^\s\0]+)$/.exec(head)?.[1];
    if (ref === undefined) return { key: head, commit: commitIn(head) };
    const isPlain = !ref.split('/').includes('..');
    const own = isPlain ? await smallFile(root, path.join(folder, ref)) : null;
    if (own !== null) return { key: own, commit: commitIn(own) };
    const stamps = ['packed-refs', 'reftable/tables.list', 'logs/HEAD'].map((name) =>
      stampOf(path.join(folder, name)),
    );
    return { key: [head, ...(await Promise.all(stamps))].join('\n'), commit: null };
  } catch {
    // No folder of git, or a damaged one: the workspace is checked without git.
    return null;
  }
}

function commitIn(text: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}

async function smallFile(root: string, file: string): Promise<string | null> {
  try {
    return (await readRegular(file, root, headBytesMax))?.bytes.toString('utf8').trim() ?? null;
  } catch {
    // It is not there.
    return null;
  }
}

async function stampOf(file: string): Promise<string> {
  return fs.lstat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => '',
  );
}
