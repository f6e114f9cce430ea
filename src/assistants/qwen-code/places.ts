import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  filesBelow,
  fileTranscript,
  findByFolderName,
  folderOf,
  jsonLines,
  type Places,
} from '../form/index.ts';

/**
 * Qwen Code: `projects/<path>/chats/<session>.jsonl` below `~/.qwen` (`QWEN_RUNTIME_DIR`, `QWEN_HOME`; recorded with
 * 0.24.4), each character of the path that is no ASCII letter or digit as `-`. Before that, as Gemini CLI, below
 * `tmp/<SHA-256 of the path>/chats`, one document a session.
 */
export const places: Places = async function* (scope) {
  const home = folderOf(scope, 'QWEN_HOME', '.qwen');
  const runtime = folderOf(scope, 'QWEN_RUNTIME_DIR', home);
  const name = scope.root.replace(/[^a-zA-Z0-9]/g, '-');
  yield* findByFolderName(scope, {
    projects: path.join(runtime, 'projects'),
    names: [name],
    prefix: name,
    within: 'chats',
    files: jsonLines,
    without: new Set(),
  });
  const hash = createHash('sha256').update(scope.root).digest('hex');
  const older = filesBelow(path.join(runtime, 'tmp', hash, 'chats'), documents, scope.unreadable);
  for (const file of older) yield fileTranscript(file, scope.root);
};

const documents = /^session-.*\.jsonl?(\.gz)?$/;
