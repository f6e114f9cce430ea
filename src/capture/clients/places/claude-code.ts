import path from 'node:path';
import { isTranscriptName, notRecords, projectNames, projectPrefix } from '../folders.ts';
import { findByFolderName } from './by-name.ts';
import { type FoundTranscripts, folderOf, type SearchScope } from './place.ts';

/**
 * Claude Code: `projects/<path>/<session>.jsonl` below `~/.claude` (`CLAUDE_CONFIG_DIR`), subagents in folders next to
 * it (recorded with 2.1.329).
 */
export function findClaudeCode(scope: SearchScope): Promise<FoundTranscripts> {
  return findByFolderName(scope, {
    client: 'claude-code',
    projects: path.join(folderOf(scope, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
    names: projectNames(scope.root),
    prefix: projectPrefix(scope.root),
    within: '.',
    isTranscript: isTranscriptName,
    without: notRecords,
  });
}
