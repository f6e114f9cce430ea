import path from 'node:path';
import { objectAt, stringAt } from '#core/event';
import {
  type FoundTranscript,
  fileTranscript,
  folderOf,
  listing,
  objectIn,
  type Places,
  withFamilies,
} from '../form/index.ts';

/**
 * Cline: `data/sessions/<session>/*.messages.json` below `~/.cline` (`CLINE_DIR`, `CLINE_DATA_DIR`, `CLINE_SESSION_DATA_DIR`; recorded with
 * 3.0.65). `<session>.json` next to them has the folder, and the session from whose checkpoint it goes on.
 */
export const places: Places = async function* (scope) {
  const data = folderOf(scope, 'CLINE_DATA_DIR', folderOf(scope, 'CLINE_DIR', '.cline'), 'data');
  const sessions = folderOf(scope, 'CLINE_SESSION_DATA_DIR', data, 'sessions');
  const transcripts: FoundTranscript[] = [];
  const forks = new Map<string, string>();
  for (const folder of listing(sessions, scope.unreadable).folders) {
    const session = path.basename(folder);
    const manifest = objectIn(path.join(folder, `${session}.json`)) ?? {};
    const cwd = stringAt(manifest, 'cwd');
    if (cwd === undefined || !scope.belongs(cwd)) continue;
    const from = stringAt(objectAt(manifest, 'metadata') ?? {}, 'restoredFromSessionId');
    if (from !== undefined) forks.set(session, from);
    for (const file of listing(folder, scope.unreadable).files.filter((one) => /\.messages\.json$/.test(one)))
      transcripts.push(fileTranscript(file, cwd, { family: session, isFork: from !== undefined }));
  }
  yield* withFamilies(transcripts, forks);
};
