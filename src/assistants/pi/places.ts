import path from 'node:path';
import { stringAt } from '#core/event';
import {
  type CwdIn,
  cwdIfReadable,
  type FoundTranscript,
  filesBelow,
  fileTranscript,
  folderOf,
  jsonLines,
  type Places,
  withFamilies,
} from '../form/index.ts';

/**
 * Pi: `sessions/--<path>--/<time>_<session>.jsonl` below `~/.pi/agent` (`PI_CODING_AGENT_DIR`), or right in
 * `PI_CODING_AGENT_SESSION_DIR` (recorded with 0.73.1). The first record has the folder, and the file that a fork goes on from.
 */
export const places: Places = async function* (scope) {
  const agent = folderOf(scope, 'PI_CODING_AGENT_DIR', '.pi', 'agent');
  const folder = folderOf(scope, 'PI_CODING_AGENT_SESSION_DIR', agent, 'sessions');
  const transcripts: FoundTranscript[] = [];
  const forks = new Map<string, string>();
  for (const file of filesBelow(folder, jsonLines, scope.unreadable)) {
    const head: { fork?: string } = {};
    const cwd = await cwdIfReadable(file, headIn(head), scope.unreadable);
    const family = path.basename(file);
    if (head.fork !== undefined) forks.set(family, path.basename(head.fork));
    if (cwd !== null && scope.belongs(cwd))
      transcripts.push(fileTranscript(file, cwd, { family, isFork: head.fork !== undefined }));
  }
  yield* withFamilies(transcripts, forks);
};

function headIn(head: { fork?: string }): CwdIn {
  return (record) => {
    const fork = stringAt(record, 'parentSession');
    if (record.type === 'session' && fork) head.fork = fork;
    return record.type === 'session' ? stringAt(record, 'cwd') : undefined;
  };
}
