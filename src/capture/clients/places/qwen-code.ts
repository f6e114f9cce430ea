import { createHash } from 'node:crypto';
import path from 'node:path';
import { filesBelow } from './below.ts';
import { findByFolderName } from './by-name.ts';
import { fileTranscript, isJsonLines } from './file.ts';
import { type FoundTranscripts, folderOf, type SearchScope } from './place.ts';

/**
 * Qwen Code: `projects/<path>/chats/<session>.jsonl` below `~/.qwen` (`QWEN_RUNTIME_DIR`, `QWEN_HOME`; recorded with
 * 0.24.4), each character of the path that is no ASCII letter or digit as `-`. Before that, as Gemini CLI, below
 * `tmp/<SHA-256 of the path>/chats`, one document a session.
 */
export async function findQwenCode(scope: SearchScope): Promise<FoundTranscripts> {
  const home = folderOf(scope, 'QWEN_HOME', '.qwen');
  const runtime = scope.env.QWEN_RUNTIME_DIR ? folderOf(scope, 'QWEN_RUNTIME_DIR', '.qwen') : home;
  const name = scope.root.replace(/[^a-zA-Z0-9]/g, '-');
  const { transcripts, unreadable } = await findByFolderName(scope, {
    client: 'qwen-code',
    projects: path.join(runtime, 'projects'),
    names: [name],
    prefix: name,
    within: 'chats',
    isTranscript: isJsonLines,
    without: new Set(),
  });
  const failures = [...unreadable];
  const hash = createHash('sha256').update(scope.root).digest('hex');
  const documents = filesBelow(path.join(runtime, 'tmp', hash, 'chats'), isDocument, failures);
  const older = documents.map((file) => fileTranscript('qwen-code', file, scope.root));
  return { transcripts: [...transcripts, ...older], unreadable: failures };
}

function isDocument(name: string): boolean {
  return /^session-.*\.jsonl?(\.gz)?$/.test(name);
}
