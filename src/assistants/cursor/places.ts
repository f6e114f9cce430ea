import path from 'node:path';
import { isObject, objectAt, own, stringAt } from '../../core/event/index.ts';
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
  const content = own(objectAt(record, 'message') ?? {}, 'content');
  if (!Array.isArray(content)) return undefined;
  for (const block of content) {
    const input = isObject(block) && block.type === 'tool_use' ? objectAt(block, 'input') : undefined;
    const folder = input === undefined ? undefined : stringAt(input, 'working_directory');
    if (folder !== undefined && path.isAbsolute(folder)) return folder;
  }
  return undefined;
};
