import path from 'node:path';
import { objectAt, stringAt } from '../../../core/event/index.ts';
import { unpacksZstd } from '../lines.ts';
import { filesBelow } from './below.ts';
import { fileTranscript } from './file.ts';
import { type CwdIn, cwdIfReadable } from './head.ts';
import { type FoundTranscript, type FoundTranscripts, folderOf, type SearchScope } from './place.ts';

/**
 * Codex: `sessions/<year>/<month>/<day>/rollout-*.jsonl` and `archived_sessions/rollout-*.jsonl` below `~/.codex`
 * (`CODEX_HOME`; recorded with 0.169.0), of all projects together: the first record has the folder. Codex
 * compresses rollouts that are a week old to `.jsonl.zst`.
 */
export async function findCodex(scope: SearchScope): Promise<FoundTranscripts> {
  const home = folderOf(scope, 'CODEX_HOME', '.codex');
  const unreadable: string[] = [];
  const files = ['sessions', 'archived_sessions'].flatMap((folder) =>
    filesBelow(path.join(home, folder), isRollout, unreadable),
  );
  const packed = files.filter((file) => file.endsWith('.zst'));
  if (packed.length > 0 && !unpacksZstd) {
    const count = packed.length === 1 ? '1 rollout' : `${packed.length} rollouts`;
    unreadable.push(
      `${count} of Codex in ${home} cannot be read: unpacking zstd needs Node.js 22.15 or newer`,
    );
  }
  const known = new Set(files);
  const transcripts: FoundTranscript[] = [];
  for (const file of files) {
    if (file.endsWith('.zst') && (!unpacksZstd || known.has(file.slice(0, -'.zst'.length)))) continue;
    const cwd = await cwdIfReadable(file, cwdIn, unreadable);
    if (cwd !== null && scope.belongs(cwd)) transcripts.push(fileTranscript('codex', file, cwd));
  }
  return { transcripts, unreadable };
}

const cwdIn: CwdIn = (record) => {
  const payload = record.type === 'session_meta' ? objectAt(record, 'payload') : undefined;
  return payload === undefined ? undefined : stringAt(payload, 'cwd');
};

function isRollout(name: string): boolean {
  return /^rollout-.*\.jsonl(\.gz|\.zst)?$/.test(name);
}
