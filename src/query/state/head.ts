import fs from 'node:fs';
import path from 'node:path';
import { readRegular } from './tree.ts';

const headBytesMax = 4_096;

/** Where git keeps what belongs to one working tree, and what all of them share. */
export interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/**
 * What the HEAD of a working tree is, read without git: a text that changes with every commit and checkout. Null when it is no
 * repository of its own.
 */
export async function headOf({ own, common }: GitFolders) {
  try {
    if (!fs.lstatSync(own).isDirectory()) return null;
    const head = await smallFile(own, 'HEAD');
    if (head === null) return null;
    const ref = /^ref: (refs\/[^\s\0]+)$/.exec(head)?.[1];
    if (ref === undefined) return { key: head, commit: commitIn(head) };
    const isPlain = !ref.split('/').includes('..');
    const named = isPlain ? await smallFile(common, ref) : null;
    if (named !== null) return { key: named, commit: commitIn(named) };
    const shared = ['packed-refs', 'reftable/tables.list'].map((name) => path.join(common, name));
    const stamps = await Promise.all([...shared, path.join(own, 'logs/HEAD')].map(stampOf));
    return { key: [head, ...stamps].join('\n'), commit: null };
  } catch {
    // No folder of git, or a damaged one: the workspace is checked without git.
    return null;
  }
}

function commitIn(text: string): string | null {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}

async function smallFile(folder: string, name: string): Promise<string | null> {
  // It may not be there.
  const read = await readRegular(path.join(folder, name), folder, headBytesMax).catch(() => null);
  return read?.bytes.toString('utf8').trim() ?? null;
}

async function stampOf(file: string): Promise<string> {
  return fs.promises.lstat(file).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => '',
  );
}
