import fs from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { type DurableFile, openPrivate } from './descriptor.ts';
import { faultPoint, faults } from './faults.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR, O_TRUNC } = fs.constants;

/**
 * An empty file for reading and writing, mode 0600, never through a link. `point` begins the names of its fault points:
 * `POINT.open`, `.write`, `.truncate`, `.sync`.
 */
export async function openDurable(file: string, point: string): Promise<DurableFile> {
  return openWith(file, point, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW);
}

/** The same for a file that must be new: for folders in which others may write. */
export async function createDurable(file: string, point: string): Promise<DurableFile> {
  return openWith(file, point, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
}

async function openWith(file: string, point: string, flags: number): Promise<DurableFile> {
  const open = () => openPrivate(file, flags);
  return faults === undefined ? open() : faults.file(file, point, open);
}

/** Renames a file; durable once the folder is synced. */
export async function renameDurable(from: string, to: string, point: string): Promise<void> {
  faultPoint(`${point}.rename`);
  faults?.renaming(from, to);
  await rename(from, to);
  faultPoint(`${point}.rename.after`);
}

/** Makes a rename or a new file in `folder` durable, without blocking this thread. */
export async function syncFolderSoon(folder: string, point: string): Promise<void> {
  faultPoint(`${point}.folder`);
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  faults?.folderSynced(folder);
  faultPoint(`${point}.folder.after`);
}
