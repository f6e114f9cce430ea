import path from 'node:path';
import { objectAt, stringAt } from '../../../core/event/index.ts';
import { listing } from './below.ts';
import { fileTranscript, isJsonLines } from './file.ts';
import { type CwdIn, cwdIfReadable, smallText } from './head.ts';
import { type FoundTranscript, folderOf, type Place, type Whose } from './place.ts';

/**
 * Copilot CLI: `session-state/<session>/events.jsonl` below `~/.copilot` (`COPILOT_HOME`; recorded with 1.0.102), of all
 * projects together: the session's first event tells the folder, else `workspace.yaml` beside it. Older versions laid
 * the file itself into `session-state`.
 */
export async function copilotCliPlace(whose: Whose): Promise<Place> {
  const unreadable: string[] = [];
  const all = listing(path.join(folderOf(whose, 'COPILOT_HOME', '.copilot'), 'session-state'));
  if (all.failure !== null) unreadable.push(all.failure);
  const sessions = all.folders.flatMap((folder) => {
    const { files, failure } = listing(folder);
    if (failure !== null) unreadable.push(failure);
    return files.filter((file) => /^events\.jsonl(\.gz)?$/.test(path.basename(file)));
  });
  const transcripts: FoundTranscript[] = [];
  for (const file of [...all.files.filter((one) => isJsonLines(path.basename(one))), ...sessions]) {
    const cwd = (await cwdIfReadable(file, cwdIn, unreadable)) ?? cwdNextTo(file);
    if (cwd !== null && whose.belongs(cwd)) transcripts.push(fileTranscript('copilot-cli', file, cwd));
  }
  return { transcripts, unreadable };
}

const cwdIn: CwdIn = (record) => {
  if (record.type !== 'session.start' && record.type !== 'session.resume') return undefined;
  const data = objectAt(record, 'data') ?? {};
  return stringAt(objectAt(data, 'context') ?? data, 'cwd');
};

/** The one line that matters of a YAML file with a key a line: a plain or a quoted text. */
function cwdNextTo(file: string): string | null {
  const yaml = smallText(path.join(path.dirname(file), 'workspace.yaml')) ?? '';
  return /^cwd:[ \t]+(["']?)(\/.*?)\1[ \t]*$/m.exec(yaml)?.[2] ?? null;
}
