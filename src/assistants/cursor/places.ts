import path from 'node:path';
import { objectAt, objectsAt, stringAt } from '#core/event';
import {
  type CwdIn,
  cwdIfReadable,
  filesBelow,
  fileTranscript,
  jsonLines,
  listing,
  objectIn,
  type Places,
} from '../form/index.ts';

/**
 * Cursor: `~/.cursor/projects/<path>/agent-transcripts/<session>/<session>.jsonl` (from public sources). Many paths
 * share a name, and records have no folder: `.workspace-trusted` next to them has it, or else a command. Without either a
 * transcript is skipped. Transcripts in plain text and the chats in `state.vscdb` are not read.
 */
export const places: Places = async function* (scope) {
  const { unreadable } = scope;
  for (const folder of listing(path.join(scope.home, '.cursor', 'projects'), unreadable).folders) {
    const trusted = objectIn(path.join(folder, '.workspace-trusted'));
    const owner = trusted === null ? undefined : stringAt(trusted, 'workspacePath');
    if (owner !== undefined && !scope.belongs(owner)) continue;
    for (const file of filesBelow(path.join(folder, 'agent-transcripts'), jsonLines, unreadable)) {
      const cwd = owner ?? (await cwdIfReadable(file, commandsFolder, unreadable));
      const session = path.basename(file).replace(/\.jsonl(\.gz)?$/, '');
      if (cwd !== null && scope.belongs(cwd)) yield fileTranscript(file, cwd, { session });
    }
  }
};

/** The folder of the record's first command that names one. */
const commandsFolder: CwdIn = (record) => {
  const blocks = objectsAt(objectAt(record, 'message') ?? {}, 'content');
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const folders = calls.map((call) => stringAt(objectAt(call, 'input') ?? {}, 'working_directory'));
  return folders.find((folder) => folder !== undefined && path.isAbsolute(folder));
};
