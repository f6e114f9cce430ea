import fs from 'node:fs';
import path from 'node:path';
import { type FoundTranscripts, findSessions, findTranscripts, readTranscript } from '#capture/clients';
import { pathCharsMax } from '#core/limits';
import { formerRoot } from '#core/workspace';
import type { Source } from './messages.ts';

/** The transcripts of a run, in their order. */
export function transcriptsOf(source: Source): Promise<FoundTranscripts> {
  if ('from' in source) return Promise.resolve(transcriptsIn(source.from));
  const { root, home, env } = source;
  return findSessions({ root, home, env, belongs: (cwd) => isOf(root, home, cwd) });
}

/** All transcripts in a folder or file, from any workspace, sorted by name. */
function transcriptsIn(fileOrFolder: string): FoundTranscripts {
  const isFile = fs.statSync(fileOrFolder, { throwIfNoEntry: false })?.isFile() ?? false;
  const { files, unreadable } = isFile
    ? { files: [fileOrFolder], unreadable: [] }
    : findTranscripts(fileOrFolder);
  const transcripts = files.map((file) => ({
    client: 'unknown' as const,
    name: file,
    ms: 0,
    read: (onItem: Parameters<typeof readTranscript>[1]) => readTranscript(file, onItem),
  }));
  return { transcripts, unreadable };
}

/** Whether the hook of a session in `cwd` would have found this workspace. */
export function isOf(root: string, home: string, cwd: string): boolean {
  if (!path.isAbsolute(cwd) || cwd.length > pathCharsMax || cwd.includes('\0')) return false;
  return formerRoot({ cwd, home }) === root;
}
