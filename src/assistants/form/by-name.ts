import path from 'node:path';
import { stringAt } from '#core/event';
import { filesBelow, listing } from './below.ts';
import { fileTranscript } from './file.ts';
import { type CwdIn, cwdIfReadable } from './head.ts';
import type { FoundTranscript, SearchScope } from './place.ts';

// So many files of a folder are read to learn whether it is this project's.
const folderProbesMax = 3;

/** How a client names the folder of a project below `projects`, and what is in it. */
export interface ProjectFolders {
  readonly projects: string;
  /** The names that the folder of the workspace's root may have. */
  readonly names: readonly string[];
  /** The prefix of the names that folders of its sub-folders have. */
  readonly prefix: string;
  /** The folder in it that has the transcripts. */
  readonly within: string;
  readonly files: RegExp;
  readonly without: ReadonlySet<string>;
}

/**
 * The workspace's transcripts of a client that keeps one folder per project, named after its path. Many paths share a
 * name (`/src-evil` and `/src/evil`), so the `cwd` in a transcript decides. Without one, the folder's name does.
 */
export async function* findByFolderName(
  scope: SearchScope,
  folders: ProjectFolders,
): AsyncGenerator<FoundTranscript> {
  const { unreadable } = scope;
  for (const folder of listing(folders.projects, unreadable).folders) {
    const name = path.basename(folder);
    const isNamed = folders.names.includes(name);
    const mayHold = isNamed || name.startsWith(folders.prefix) || (await isBegunIn(scope, folder, folders));
    if (!mayHold) continue;
    const files = filesBelow(path.join(folder, folders.within), folders.files, unreadable, folders.without);
    for (const file of files) {
      // To its end, if need be: a session can begin with megabytes without a `cwd`.
      const whole = Number.POSITIVE_INFINITY;
      const head: { family?: string; isFork?: boolean } = {};
      const cwd = await cwdIfReadable(file, headIn(head), isNamed ? [] : unreadable, whole);
      if (cwd === null ? isNamed : scope.belongs(cwd)) yield fileTranscript(file, cwd, head);
    }
  }
}

const cwdField: CwdIn = (record) => (typeof record.cwd === 'string' ? record.cwd : undefined);

/** Forks begin with the same record. */
function headIn(head: { family?: string; isFork?: boolean }): CwdIn {
  return (record) => {
    const uuid = stringAt(record, 'uuid');
    if (uuid && head.family === undefined)
      Object.assign(head, { family: uuid, isFork: 'forkedFrom' in record });
    return cwdField(record);
  };
}

/** Whether one of the folder's first transcripts began in the workspace, as in a linked worktree elsewhere. */
async function isBegunIn(
  scope: SearchScope,
  folder: string,
  { within, files: names }: ProjectFolders,
): Promise<boolean> {
  const files = listing(path.join(folder, within)).files.filter((file) => names.test(path.basename(file)));
  for (const file of files.slice(0, folderProbesMax)) {
    const cwd = await cwdIfReadable(file, cwdField);
    if (cwd !== null) return scope.belongs(cwd, files.length);
  }
  return false;
}
