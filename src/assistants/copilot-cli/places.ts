import path from 'node:path';
import { objectAt, stringAt } from '#core/event';
import {
  type CwdIn,
  cwdIfReadable,
  fileTranscript,
  folderOf,
  jsonLines,
  listing,
  type Places,
  smallText,
} from '../form/index.ts';

/**
 * Copilot CLI: `session-state/<session>/events.jsonl` below `~/.copilot` (`COPILOT_HOME`; recorded with 1.0.102), of all
 * projects together: the session's first event has the folder, else `workspace.yaml` next to it. Older versions put
 * the file itself into `session-state`.
 */
export const places: Places = async function* (scope) {
  const { unreadable } = scope;
  const all = listing(path.join(folderOf(scope, 'COPILOT_HOME', '.copilot'), 'session-state'), unreadable);
  const sessions = all.folders.flatMap((folder) =>
    listing(folder, unreadable).files.filter((file) => /^events\.jsonl(\.gz)?$/.test(path.basename(file))),
  );
  for (const file of [...all.files.filter((one) => jsonLines.test(path.basename(one))), ...sessions]) {
    const cwd = (await cwdIfReadable(file, cwdIn, unreadable)) ?? cwdNextTo(file);
    if (cwd !== null && scope.belongs(cwd)) yield fileTranscript(file, cwd);
  }
};

const cwdIn: CwdIn = (record) => {
  if (record.type !== 'session.start' && record.type !== 'session.resume') return undefined;
  const data = objectAt(record, 'data') ?? {};
  return stringAt(objectAt(data, 'context') ?? data, 'cwd');
};

/** The `cwd` line of a YAML file, plain or quoted. */
function cwdNextTo(file: string): string | null {
  const yaml = smallText(path.join(path.dirname(file), 'workspace.yaml')) ?? '';
  return /^cwd:[ \t]+(["']?)(\/.*?)\1[ \t]*$/m.exec(yaml)?.[2] ?? null;
}
