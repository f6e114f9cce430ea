import path from 'node:path';
import { jsonText } from '#core/event';
import { removalTimeoutMs } from '#core/limits';
import type { Workspace } from '#core/workspace';
import { ask, ensureMemory, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, memoryId, Unsuccessful } from '../program.ts';
import { read } from '../replies.ts';
import { namedMemory } from './memories.ts';

export const forgetCommand: AddCommand = (program, io) => {
  command(program, 'forget', 'remove a memory from database, log, spool, restore files and backups', [
    'mem forget 12',
  ])
    .argument('<ID>', 'id of the memory', memoryId)
    .action(async (id: number, { json = false }: { json?: boolean }) => {
      const workspace = workspaceOf(io);
      // Its start stores what is in the log and the spool: only then all places are known.
      await ensureMemory(workspace, io);
      const memory = await namedMemory(id, io);
      const reply = await ask(workspace, { op: 'forget', id }, { timeoutMs: removalTimeoutMs });
      const { kept } = read('forget', reply);
      io.out(json ? jsonText({ ok: kept.length === 0, id, kept }) : `${memory} is forgotten`);
      if (await hasSynced(workspace))
        io.note('mem: the remote, its copy here and your other devices have it until the next `memd sync`.');
      for (const name of kept) io.note(`mem: ${remainder(path.join(workspace.folder, name))}`);
      if (kept.length > 0) throw new Unsuccessful();
    });
};

async function hasSynced(workspace: Workspace): Promise<boolean> {
  const { readRecord } = await import('#service/sync');
  const record = readRecord(workspace);
  return (record?.syncedAt ?? record?.pushedAt ?? null) !== null;
}

/** What to do about a file that may still hold the memory. */
function remainder(file: string): string {
  const name = path.basename(file);
  if (name.startsWith('db.sqlite.'))
    return `${file} is damaged and may still hold it. When you no longer need that copy, run \`rm '${file}'*\`.`;
  if (name.endsWith('.ndjson') && name !== 'wal.ndjson')
    return `${file} is a link to a file that still holds it. Remove that file, or export to it again.`;
  return `${file} is in use and may still hold it. Run \`memd restart\`.`;
}
