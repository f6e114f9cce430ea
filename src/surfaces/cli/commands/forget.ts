import path from 'node:path';
import { jsonText } from '../../../core/event/index.ts';
import { removalTimeoutMs } from '../../../core/limits.ts';
import { readArchive } from '../archive-replies.ts';
import { ask, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Unsuccessful, wholeNumber } from '../program.ts';

export const forgetCommand: AddCommand = (program, io) => {
  command(program, 'forget', 'remove a memory everywhere: database, log, spool, restore files and backups', [
    'mem forget 12',
  ])
    .argument('<ID>', 'the id of a memory', wholeNumber(1))
    .option('--json', 'as JSON')
    .action(async (id: number, { json = false }: { json?: boolean }) => {
      const workspace = workspaceOf(io);
      // A start takes in what lies in the log and the spool: only then is it known where it may be.
      await ensureDaemon(workspace, io);
      const reply = await ask(workspace, { op: 'forget', id }, { timeoutMs: removalTimeoutMs });
      const { kept } = readArchive('forget', reply);
      io.out(json ? jsonText({ ok: kept.length === 0, id, kept }) : `memory #${id} is forgotten`);
      for (const name of kept) io.note(`mem: ${left(path.join(workspace.folder, name))}`);
      if (kept.length > 0) throw new Unsuccessful();
    });
};

/** What to do about a file that may still hold something of it. A log that is in use is emptied by a restart. */
function left(file: string): string {
  const name = path.basename(file);
  if (name.startsWith('db.sqlite.'))
    return `${file} is damaged and may still hold it; when you need that copy no more, run: rm '${file}'*`;
  if (name.endsWith('.ndjson') && name !== 'wal.ndjson')
    return `${file} is a link to a file that still holds it; remove that file, or export to it anew`;
  return `${file} is in use and may still hold it; run: memd restart`;
}
