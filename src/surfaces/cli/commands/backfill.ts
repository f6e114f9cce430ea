import path from 'node:path';
import { clientVariablesOf, jsonText } from '../../../core/event/index.ts';
import { backfillTimeoutMs } from '../../../core/limits.ts';
import { ask, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';
import { read } from '../replies.ts';
import { count, plural } from '../words.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly json?: boolean;
}

export const backfillCommand: AddCommand = (program, io) => {
  command(program, 'backfill', 'take in the transcripts that assistants have already left for this project', [
    'memd backfill --dry-run',
    'memd backfill',
    'memd backfill --from ~/old-transcripts',
  ])
    .option('--dry-run', 'count what would be taken in, store nothing')
    .option(
      '--from <DIR>',
      "a folder or file of transcripts (default: every assistant's own for this project)",
    )
    .option('--json', 'print the result as JSON')
    .action(async (options: Options) => {
      const result = await backfillNow(options, io);
      io.out(options.json ? jsonText(result) : describe(result, options.dryRun === true, io));
    });
};

/** Runs the backfill in the daemon, starting it when it is down, with its progress on a terminal. */
export async function backfillNow({ dryRun = false, from }: Options, io: Io) {
  const workspace = workspaceOf(io);
  await ensureDaemon(workspace, io);
  const dir = from === undefined ? {} : { dir: path.resolve(io.cwd, from) };
  const request = { op: 'backfill', dryRun, progress: true, env: clientVariablesOf(io.env), ...dir };
  const interim = (fields: unknown): void => {
    const { files, filesTotal, captured, duplicates } = read('backfillProgress', fields).progress;
    io.progress(`reading transcripts: ${files}/${filesTotal}, ${count(captured + duplicates)} calls`);
  };
  const reply = await ask(workspace, request, { timeoutMs: backfillTimeoutMs, interim }).finally(() =>
    io.progress(''),
  );
  const { ok: _ok, ...result } = read('backfill', reply);
  return result;
}

/** The result in words. */
export function describe(result: Awaited<ReturnType<typeof backfillNow>>, dryRun: boolean, io: Io): string {
  const { scanned, captured, duplicates, malformed, unreadable, clients } = result;
  const warnings = [
    ...(malformed > 0 ? [`${plural(malformed, 'malformed line')} skipped`] : []),
    ...unreadable,
  ].map((warning) => io.style('yellow', warning));
  if (scanned === 0) return ['no transcripts found for this project', ...warnings].join('\n');
  const lines = [
    `${plural(scanned, 'transcript')} read (${byAssistant(clients)}): ${plural(captured, 'call')} ${dryRun ? 'would be taken in' : 'taken in'}, ` +
      `${count(duplicates)} known already`,
  ];
  return [...lines, ...warnings].join('\n');
}

/** `claude-code 12 files, codex 3 files` */
function byAssistant(clients: Awaited<ReturnType<typeof backfillNow>>['clients']): string {
  return Object.entries(clients)
    .map(([name, { scanned }]) => `${name} ${plural(scanned, 'file')}`)
    .join(', ');
}
