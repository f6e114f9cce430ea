import fs from 'node:fs';
import { jsonText } from '#core/event';
import { bytesIn, Failure, messageOf } from '#core/platform';
import { everyWorkspace, homeOf, type Workspace } from '#core/workspace';
import { isCorruption, readDatabase } from '#memory/store';
import { size } from '#surfaces/health';
import { confirm } from '../confirm.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { ago, plural, printable } from '../words.ts';

type Row = ReturnType<typeof rowOf>;

export const workspacesCommand: AddCommand = (program, io) => {
  command(program, 'workspaces', 'list the memories of all projects', [
    'memd workspaces',
    'memd workspaces --remove-gone',
  ])
    .option('--remove-gone', 'remove the memories whose project folder no longer exists, after a question')
    .option('-y, --yes', 'remove them without a question')
    .action(async (options: { removeGone?: boolean; yes?: boolean; json?: boolean }) => {
      const own = workspaceOf(io);
      const every = everyWorkspace(homeOf(io.env)).filter(
        ({ namespace, database }) => namespace === own.namespace && fs.existsSync(database),
      );
      const rows = every.map((one) => rowOf(one, own));
      const gone = every.filter(({ root }) => root !== '' && !fs.existsSync(root));
      if (options.removeGone) return removeGone(gone, options, io);
      if (options.json) return io.out(jsonText({ workspaces: rows }, 2));
      if (rows.length === 0)
        return io.note('no project has a memory yet. To begin, run `memd setup` in one.');
      for (const row of rows) io.out(line(row, io));
      if (gone.length > 0)
        io.note(
          `memd: ${plural(gone.length, 'project')} no longer exists. If its disk is mounted, run \`memd workspaces --remove-gone\`.`,
        );
    });
};

function rowOf(workspace: Workspace, own: Workspace) {
  const { root, folder, key } = workspace;
  const shown = { path: root === '' ? folder : root, exists: fs.existsSync(root) };
  const place = { ...shown, isThis: key === own.key, bytes: bytesIn(folder) };
  try {
    const found = readDatabase(workspace.database, ({ stats, events }) => ({
      memories: stats.counts().summaries,
      lastUsed: events.newestTs(),
    }));
    return { ...place, ...(found ?? { memories: 0, lastUsed: null }), problem: null };
  } catch (error) {
    if (!(error instanceof Failure) && !isCorruption(error)) throw error;
    // The database cannot be read.
    return { ...place, memories: null, lastUsed: null, problem: messageOf(error) };
  }
}

function line({ path: root, exists, isThis, memories, bytes, lastUsed, problem }: Row, io: Io): string {
  const state = exists ? '' : io.style('yellow', ' (gone)');
  const amount = memories === null ? (problem ?? '') : plural(memories, 'memory');
  const used = lastUsed === null ? 'never used' : `last used ${ago(lastUsed, Date.now())}`;
  return `${io.style('bold', printable(root))}${isThis ? ' (this one)' : ''}${state}\n    ${printable(amount)} · ${size(bytes)} · ${used}`;
}

async function removeGone(
  gone: readonly Workspace[],
  { yes = false, json = false }: { yes?: boolean; json?: boolean },
  io: Io,
): Promise<void> {
  if (gone.length === 0)
    return json ? io.out(jsonText({ ok: true, removed: [] })) : io.out('The folder of every memory exists.');
  for (const { root } of gone) io.note(`memd: ${printable(root)}`);
  const question = `Remove ${plural(gone.length, 'memory')}? This cannot be undone. [y/N] `;
  if (!yes && !(await confirm(question))) throw new Unsuccessful();
  const { stopDaemon } = await import('#service/lifecycle');
  for (const workspace of gone) {
    await stopDaemon(workspace);
    fs.rmSync(workspace.folder, { recursive: true });
    fs.rmSync(workspace.daemonLog, { force: true });
  }
  const removed = gone.map(({ root }) => root);
  io.out(json ? jsonText({ ok: true, removed }) : `Removed ${plural(gone.length, 'memory')}.`);
}
