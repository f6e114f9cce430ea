import { jsonText } from '#core/event';
import { removalTimeoutMs, restoreFileDaysMax, supersededDaysMin } from '#core/limits';
import { size } from '#surfaces/health';
import { ask, ensureMemory, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';
import { type PruneReply, read } from '../replies.ts';
import { ago, count as grouped, plural, printable, wrap } from '../words.ts';

export const pruneCommand: AddCommand = (program, io) => {
  command(program, 'prune', 'list memories that are superseded or duplicate; --confirm removes them', [
    'mem prune',
    'mem prune --confirm',
    'mem prune --json',
  ])
    .option('--confirm', `remove them; a restore file keeps them for ${restoreFileDaysMax} days`)
    .action(async ({ confirm = false, json = false }: { confirm?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      await ensureMemory(workspace, io);
      const reply = await ask(workspace, { op: 'prune', confirm }, { timeoutMs: removalTimeoutMs });
      const pruned = read('prune', reply);
      io.out(json ? jsonText({ ok: true, ...pruned }, 2) : describe(pruned, confirm, io));
    });
};

export function describe(
  { groups, removed, restoreFile, left }: PruneReply,
  confirmed: boolean,
  io: Io,
): string {
  if (groups.length === 0) return 'nothing to prune';
  const sum = (key: 'count' | 'bytes'): number => groups.reduce((all, group) => all + group[key], 0);
  const last = confirmed
    ? [
        `Removed ${plural(removed, 'memory')}.`,
        ...(restoreFile === null
          ? []
          : [`To restore them within ${restoreFileDaysMax} days, run \`mem import '${restoreFile}'\`.`]),
      ]
    : [
        `${plural(sum('count'), 'memory')}, ${size(sum('bytes'))}. Nothing was removed. Pinned memories stay.`,
        `To remove them and keep a restore file for ${restoreFileDaysMax} days, run \`mem prune --confirm\`.`,
      ];
  const more = left === 0 ? [] : [`After that, run it again: ${plural(left, 'more memory')} may follow.`];
  return [...groups.flatMap((group) => groupLines(group, io)), ...last, ...more].join('\n');
}

function groupLines({ reason, count, bytes, examples }: PruneReply['groups'][number], io: Io): string[] {
  const meaning =
    reason === 'superseded'
      ? `replaced by a newer memory at least ${supersededDaysMin} days ago`
      : 'same call with the same result in one session; the newest stays';
  const lines = examples.flatMap((one) => [
    `  ${io.style('cyan', `#${one.id} · ${printable(one.tool)} · ${ago(one.ts, Date.now())}`)}${io.style('dim', ` · stays: #${one.by}`)}`,
    wrap(printable(one.text), io.columns, '    '),
  ]);
  const more = count - examples.length;
  return [
    `${io.style('bold', `${reason}: ${plural(count, 'memory')}, ${size(bytes)}`)} (${meaning})`,
    ...lines,
    ...(more > 0 ? [io.style('dim', `  and ${grouped(more)} more`)] : []),
  ];
}
