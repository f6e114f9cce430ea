import path from 'node:path';
import { isTranscriptName, notRecords, projectNames, projectPrefix } from '../folders.ts';
import { placeByName } from './by-name.ts';
import { folderOf, type Place, type Whose } from './place.ts';

/**
 * Claude Code: `projects/<path>/<session>.jsonl` below `~/.claude` (`CLAUDE_CONFIG_DIR`), subagents in folders beside
 * (recorded with 2.1.329).
 */
export function claudeCodePlace(whose: Whose): Promise<Place> {
  return placeByName(whose, {
    client: 'claude-code',
    projects: path.join(folderOf(whose, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
    names: projectNames(whose.root),
    prefix: projectPrefix(whose.root),
    within: '.',
    isTranscript: isTranscriptName,
    without: notRecords,
  });
}
