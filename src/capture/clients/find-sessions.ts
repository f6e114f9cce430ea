import fs from 'node:fs';
import path from 'node:path';
import {
  type FoundTranscript,
  filesBelow,
  notRecords,
  type SearchScope,
  transcriptNames,
} from '#assistants/form';
import { assistants } from '#assistants/table';
import type { ClientName } from '#core/event';
import { type OnItem, readRecords, readTranscript, type TranscriptReport } from './transcript.ts';

const goneNamedMax = 3;

/** A session of one assistant that can be read. */
export interface ReadableTranscript extends FoundTranscript {
  readonly client: ClientName;
  read(onItem: OnItem): Promise<TranscriptReport>;
}

export interface FoundTranscripts {
  readonly transcripts: readonly ReadableTranscript[];
  /** Files and folders that could not be read, each in a line. */
  readonly unreadable: readonly string[];
  /** What else a user should know of them, each in a line. */
  readonly notes?: readonly string[];
  /** Called after the last transcript is read. */
  readonly close?: () => void;
}

/** A folder that no longer exists, next to the project or named after it: perhaps a worktree of it. */
function isGoneNear(root: string, cwd: string): boolean {
  const isNear = cwd.startsWith(`${path.dirname(root)}/`) || cwd.includes(path.basename(root));
  return path.isAbsolute(cwd) && isNear && !fs.existsSync(cwd);
}

function goneNote(gone: ReadonlyMap<string, number>): readonly string[] {
  const sessions = [...gone.values()].reduce((sum, count) => sum + count, 0);
  if (sessions === 0) return [];
  const folders = [...gone.keys()].slice(0, goneNamedMax).join(', ');
  const more = gone.size > goneNamedMax ? ` and ${gone.size - goneNamedMax} more` : '';
  const began = sessions === 1 ? '1 session that began' : `${sessions} sessions that began`;
  const which = gone.size === 1 ? 'a folder that no longer exists' : 'folders that no longer exist';
  return [
    `Not imported: ${began} in ${which} (${folders}${more}). If it was a worktree of this project, run: memd backfill --from FOLDER-OF-ITS-TRANSCRIPTS`,
  ];
}

/** The newest first, then by name; but a session before its forks, which repeat it. */
function ordered(transcripts: readonly ReadableTranscript[]): readonly ReadableTranscript[] {
  const families = new Map<string, ReadableTranscript[]>();
  for (const one of transcripts) {
    const id = one.family?.id ?? one.name;
    families.set(id, [...(families.get(id) ?? []), one]);
  }
  const newest = ([, family]: [string, readonly FoundTranscript[]]): number =>
    Math.max(...family.map(({ ms }) => ms));
  const begun = ({ family, ms }: FoundTranscript): number => family?.begunMs ?? ms;
  return [...families]
    .sort((a, b) => newest(b) - newest(a) || ((a[1][0]?.name ?? '') < (b[1][0]?.name ?? '') ? -1 : 1))
    .flatMap(([, family]) => family.sort((a, b) => begun(a) - begun(b)));
}

/** A workspace's sessions of all assistants, or of the one named, the newest first, then by name. Links are not followed. */
export async function findSessions(
  where: Pick<SearchScope, 'root' | 'home' | 'env' | 'belongs' | 'databaseBytesMax'>,
  only?: ClientName,
): Promise<Required<FoundTranscripts>> {
  const known = new Map<string, boolean>();
  const gone = new Map<string, number>();
  const belongs = (cwd: string, sessions = 1): boolean => {
    const answer = known.get(cwd) ?? where.belongs(cwd);
    if (!known.has(cwd) && !answer && isGoneNear(where.root, cwd)) gone.set(cwd, 0);
    known.set(cwd, answer);
    if (gone.has(cwd)) gone.set(cwd, (gone.get(cwd) ?? 0) + sessions);
    return answer;
  };
  const scope: SearchScope = { ...where, belongs, unreadable: [], notes: [], closers: [] };
  const transcripts: ReadableTranscript[] = [];
  for (const { name: client, places } of assistants) {
    if (places === undefined || (only ?? client) !== client) continue;
    for await (const one of places(scope)) transcripts.push({ ...one, client, read: readerOf(client, one) });
  }
  return {
    transcripts: ordered(transcripts),
    unreadable: scope.unreadable,
    notes: [...scope.notes, ...goneNote(gone)],
    close: () => {
      for (const close of scope.closers) close();
    },
  };
}

function readerOf(client: ClientName, one: FoundTranscript): ReadableTranscript['read'] {
  const expected = { ...one, client };
  return (onItem) =>
    one.records === undefined
      ? readTranscript(one.name, onItem, expected)
      : readRecords(one.name, one.records(), onItem, expected);
}

/** The transcripts below `folder`, sorted; none when it does not exist. Links are not followed. */
export function findTranscripts(folder: string): {
  readonly files: readonly string[];
  /** Folders that could not be listed, each in a line. */
  readonly unreadable: readonly string[];
} {
  const unreadable: string[] = [];
  const files = filesBelow(folder, transcriptNames, unreadable, notRecords, Number.POSITIVE_INFINITY);
  return { files: files.sort(), unreadable };
}
