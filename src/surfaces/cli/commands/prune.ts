import { jsonText } from '../../../core/event/index.ts';
import { removalTimeoutMs, restoreFileDaysMax, supersededDaysMin } from '../../../core/limits.ts';
import { ping } from '../../../core/rpc/index.ts';
import type { Workspace } from '../../../core/workspace/index.ts';
import { prunePlan } from '../../../memory/archive/index.ts';
import { openStoreReadOnly } from '../../../memory/store/index.ts';
import { type PruneReply, readArchive } from '../archive-replies.ts';
import { ask, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command } from '../program.ts';
import { ago, count as grouped, printable, wrap } from '../words.ts';

export const pruneCommand: AddCommand = (program, io) => {
  command(program, 'prune', 'show the memories that need not stay, and remove them with --confirm', [
    'mem prune',
    'mem prune --confirm',
    'mem prune --json',
  ])
    .option('--confirm', 'remove them; a restore file keeps them for a while')
    .option('--json', 'as JSON')
    .action(async ({ confirm = false, json = false }: { confirm?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      const pruned = confirm ? await pruneNow(workspace, io) : await planOf(workspace);
      io.out(json ? jsonText({ ok: true, ...pruned }, 2) : describe(pruned, confirm, io));
    });
};

async function pruneNow(workspace: Workspace, io: Io): Promise<PruneReply> {
  await ensureDaemon(workspace, io);
  return readArchive(
    'prune',
    await ask(workspace, { op: 'prune', confirm: true }, { timeoutMs: removalTimeoutMs }),
  );
}

/** To look starts nothing: without a daemon the database itself is asked. */
async function planOf(workspace: Workspace): Promise<PruneReply> {
  if ((await ping(workspace.socket)) !== 'absent') {
    return readArchive('prune', await ask(workspace, { op: 'prune' }, { timeoutMs: removalTimeoutMs }));
  }
  return onStore(openStoreReadOnly(workspace.database), (store) =>
    readArchive('prune', store === null ? nothing : prunePlan(store, Date.now())),
  );
}

const nothing: PruneReply = { groups: [], removed: 0, restoreFile: null, left: 0 };

/** The result in words, what to run last. */
export function describe(
  { groups, removed, restoreFile, left }: PruneReply,
  confirmed: boolean,
  io: Io,
): string {
  if (groups.length === 0) return 'nothing to prune';
  const all = sum(groups);
  const last = confirmed
    ? [
        `${memories(removed)} removed`,
        ...(restoreFile === null
          ? []
          : [`to bring them back within ${restoreFileDaysMax} days, run: mem import '${restoreFile}'`]),
      ]
    : [
        `${memories(all.count)}, ${size(all.bytes)}; pinned ones stay, and what goes is kept in a restore file for ${restoreFileDaysMax} days`,
        'nothing was removed; to remove them, run: mem prune --confirm',
      ];
  const more = left === 0 ? [] : [`${memories(left)} more may go after these: run mem prune again then`];
  return [...groups.flatMap((group) => groupLines(group, io)), ...last, ...more].join('\n');
}

function groupLines({ reason, count, bytes, examples }: PruneReply['groups'][number], io: Io): string[] {
  const told =
    reason === 'superseded'
      ? `replaced by a newer memory for ${supersededDaysMin} days or more`
      : 'the same call with the same result in one session; the newest stays';
  const lines = examples.flatMap((one) => [
    `  ${io.style('cyan', `#${one.id} · ${printable(one.tool)} · ${ago(one.ts, Date.now())}`)}${io.style('dim', ` · stays: #${one.by}`)}`,
    wrap(printable(one.text), io.columns, '    '),
  ]);
  const more = count - examples.length;
  return [
    `${io.style('bold', `${reason}: ${memories(count)}, ${size(bytes)}`)} (${told})`,
    ...lines,
    ...(more > 0 ? [io.style('dim', `  and ${grouped(more)} more`)] : []),
  ];
}

function memories(count: number): string {
  return count === 1 ? '1 memory' : `${grouped(count)} memories`;
}

function sum(groups: PruneReply['groups']): { count: number; bytes: number } {
  return groups.reduce((all, { count, bytes }) => ({ count: all.count + count, bytes: all.bytes + bytes }), {
    count: 0,
    bytes: 0,
  });
}

/** `512 B`, `3.4 KiB`, `12.0 MiB`. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
