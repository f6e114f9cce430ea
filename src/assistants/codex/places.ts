import path from 'node:path';
import { objectAt, stringAt } from '#core/event';
import {
  type CwdIn,
  cwdIfReadable,
  type FoundTranscript,
  filesBelow,
  fileTranscript,
  folderOf,
  type Places,
  unpacksZstd,
  withFamilies,
} from '../form/index.ts';

/**
 * Codex: `sessions/<year>/<month>/<day>/rollout-*.jsonl` and `archived_sessions/rollout-*.jsonl` below `~/.codex`
 * (`CODEX_HOME`; recorded with 0.169.0), of all projects together: the first record has the folder. Codex
 * compresses rollouts that are a week old to `.jsonl.zst`.
 */
export const places: Places = async function* (scope) {
  const home = folderOf(scope, 'CODEX_HOME', '.codex');
  const { unreadable } = scope;
  const files = ['sessions', 'archived_sessions'].flatMap((folder) =>
    filesBelow(path.join(home, folder), rollouts, unreadable),
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
  /** Of each fork, the session that it goes on from. */
  const forks = new Map<string, string>();
  for (const file of files) {
    if (file.endsWith('.zst') && (!unpacksZstd || known.has(file.slice(0, -'.zst'.length)))) continue;
    const ids: { id?: string; fork?: string } = {};
    const cwd = await cwdIfReadable(file, headIn(ids), unreadable);
    if (ids.id !== undefined && ids.fork !== undefined) forks.set(ids.id, ids.fork);
    const { id: family = file, fork } = ids;
    if (cwd !== null && scope.belongs(cwd))
      transcripts.push(fileTranscript(file, cwd, { family, isFork: fork !== undefined }));
  }
  yield* withFamilies(transcripts, forks);
};

function headIn(ids: { id?: string; fork?: string }): CwdIn {
  return (record) => {
    const meta = record.type === 'session_meta' ? objectAt(record, 'payload') : undefined;
    if (meta === undefined) return undefined;
    const [id, fork] = [stringAt(meta, 'id'), stringAt(meta, 'forked_from_id')];
    Object.assign(ids, id && { id }, fork && { fork });
    return stringAt(meta, 'cwd');
  };
}

const rollouts = /^rollout-.*\.jsonl(\.gz|\.zst)?$/;
