import path from 'node:path';
import { isObject, objectAt, own, stringAt } from '../../../core/event/index.ts';
import { filesBelow, listing } from './below.ts';
import { fileTranscript, isJsonLines } from './file.ts';
import { type CwdIn, cwdIfReadable, objectIn } from './head.ts';
import type { FoundTranscript, Place, Whose } from './place.ts';

/**
 * Cursor: `~/.cursor/projects/<path>/agent-transcripts/<session>/<session>.jsonl` (from public sources). The path is written
 * so that many have one name, and a record tells no folder: `.workspace-trusted` beside does, or else a command's own
 * folder. A transcript of which nothing tells it is left. Those in plain text, and the chats in `state.vscdb`, are not read.
 */
export async function cursorPlace(whose: Whose): Promise<Place> {
  const unreadable: string[] = [];
  const transcripts: FoundTranscript[] = [];
  const all = listing(path.join(whose.home, '.cursor', 'projects'));
  if (all.failure !== null) unreadable.push(all.failure);
  for (const folder of all.folders) {
    const trusted = objectIn(path.join(folder, '.workspace-trusted'));
    const owner = trusted === null ? undefined : stringAt(trusted, 'workspacePath');
    if (owner !== undefined && !whose.belongs(owner)) continue;
    for (const file of filesBelow(path.join(folder, 'agent-transcripts'), isJsonLines, unreadable)) {
      const cwd = owner ?? (await cwdIfReadable(file, commandsFolder, unreadable));
      const session = path.basename(file).replace(/\.jsonl(\.gz)?$/, '');
      if (cwd !== null && whose.belongs(cwd)) transcripts.push(fileTranscript('cursor', file, cwd, session));
    }
  }
  return { transcripts, unreadable };
}

/** Where the record's first command that tells it was run. */
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
