import path from 'node:path';
import type { ClientName } from '../../../core/event/index.ts';
import { filesBelow, listing } from './below.ts';
import { fileTranscript } from './file.ts';
import { type CwdIn, cwdIfReadable } from './head.ts';
import type { FoundTranscript, Place, Whose } from './place.ts';

// Files of one folder that are asked where they were written, before the folder counts as another project's.
const folderProbesMax = 3;

/** How a client names a folder a project, below `projects`, and what lies in it. */
export interface ProjectFolders {
  readonly client: ClientName;
  readonly projects: string;
  /** The names that the folder of the workspace's root may have. */
  readonly names: readonly string[];
  /** How the names of its sub-folders' folders begin. */
  readonly prefix: string;
  /** Where transcripts lie in such a folder. */
  readonly within: string;
  readonly isTranscript: (name: string) => boolean;
  readonly without: ReadonlySet<string>;
}

/**
 * The workspace's transcripts of a client that keeps a folder a project, named after the path. Many paths have one
 * name (`/src-evil` and `/src/evil`), so that a name only tells where to look: what decides is the folder that a
 * transcript itself tells. One that tells none belongs to whom the folder is named after.
 */
export async function placeByName(whose: Whose, folders: ProjectFolders): Promise<Place> {
  const unreadable: string[] = [];
  const transcripts: FoundTranscript[] = [];
  const all = listing(folders.projects);
  if (all.failure !== null) unreadable.push(all.failure);
  for (const folder of all.folders) {
    const name = path.basename(folder);
    const isNamed = folders.names.includes(name);
    const mayHold = isNamed || name.startsWith(folders.prefix) || (await tellsOf(whose, folder, folders));
    if (!mayHold) continue;
    const files = filesBelow(
      path.join(folder, folders.within),
      folders.isTranscript,
      unreadable,
      folders.without,
    );
    for (const file of files) {
      // To its end, if need be: a session can begin with megabytes that tell none, and two projects may share the name.
      const whole = Number.POSITIVE_INFINITY;
      const cwd = await cwdIfReadable(file, cwdField, isNamed ? [] : unreadable, whole);
      if (cwd === null ? isNamed : whose.belongs(cwd))
        transcripts.push(fileTranscript(folders.client, file, cwd));
    }
  }
  return { transcripts, unreadable };
}

/** The record's own `cwd`, as Claude Code and Qwen Code have it. */
const cwdField: CwdIn = (record) => (typeof record.cwd === 'string' ? record.cwd : undefined);

/** Whether one of the folder's first transcripts was begun in the workspace: in a linked worktree anywhere. */
async function tellsOf(
  whose: Whose,
  folder: string,
  { within, isTranscript }: ProjectFolders,
): Promise<boolean> {
  const files = listing(path.join(folder, within)).files.filter((file) => isTranscript(path.basename(file)));
  for (const file of files.slice(0, folderProbesMax)) {
    const cwd = await cwdIfReadable(file, cwdField);
    if (cwd !== null) return whose.belongs(cwd);
  }
  return false;
}
