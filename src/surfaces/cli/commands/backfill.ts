import fs from 'node:fs';
import path from 'node:path';
import { clientVariablesOf } from '#assistants/table';
import { jsonText } from '#core/event';
import { backfillTimeoutMs } from '#core/limits';
import { Failure } from '#core/platform';
import { ask, ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';
import { withProgress } from '../progress.ts';
import { read } from '../replies.ts';
import { count, plural } from '../words.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly from?: string;
  readonly json?: boolean;
}

export const backfillCommand: AddCommand = (program, io) => {
  command(program, 'backfill', 'import earlier sessions of this project from transcripts of assistants', [
    'memd backfill --dry-run',
    'memd backfill',
    'memd backfill --from ~/old-transcripts',
  ])
    .option('--dry-run', 'count only, import nothing')
    .option('--from <DIR>', "folder or file of transcripts (default: the assistants' own)")
    .action(async (options: Options) => {
      const result = await backfillNow(options, io);
      io.out(options.json ? jsonText(result) : describe(result, options.dryRun === true, io));
    });
};

/** Starts the daemon if none runs, and shows progress on a terminal. */
export async function backfillNow({ dryRun = false, from }: Options, io: Io) {
  const workspace = workspaceOf(io);
  const dir = from === undefined ? {} : { dir: path.resolve(io.cwd, from) };
  // Before a memory is begun.
  if (dir.dir !== undefined && !fs.existsSync(dir.dir))
    throw new Failure('bad_request', `cannot import transcripts: ${dir.dir} does not exist`, {
      repair: 'name a folder or file of transcripts, or leave out `--from`',
    });
  await ensureDaemon(workspace, io);
  const request = { op: 'backfill', dryRun, progress: true, env: clientVariablesOf(io.env), ...dir };
  const reply = await withProgress(io, 'looking for transcripts', (progress) => {
    const interim = (fields: unknown): void => {
      const { files, filesTotal, captured, duplicates } = read('backfillProgress', fields).progress;
      progress.report('transcripts', files, filesTotal, 'files', captured + duplicates);
    };
    return ask(workspace, request, { timeoutMs: backfillTimeoutMs, interim });
  });
  const { ok: _ok, ...result } = read('backfill', reply);
  return result;
}

export function describe(result: Awaited<ReturnType<typeof backfillNow>>, dryRun: boolean, io: Io): string {
  const { scanned, captured, duplicates, malformed, unreadable, notes, clients } = result;
  // `claude-code 12 files, codex 3 files`
  const files = Object.entries(clients).map(([name, client]) => `${name} ${plural(client.scanned, 'file')}`);
  const skipped = `Skipped ${plural(malformed, 'line')} of transcripts that ${malformed === 1 ? 'is' : 'are'} not whole JSON: cut or damaged before memd read them. The rest was read.`;
  const known = [...(malformed > 0 ? [skipped] : []), ...unreadable, ...notes];
  const warnings = known.map((warning) => io.style('yellow', warning));
  const events = `${dryRun ? 'Would import' : 'Imported'} ${plural(captured, 'event')}`;
  const line = `${events} from ${plural(scanned, 'transcript')} (${files.join(', ')}); ${count(duplicates)} known already or repeated.`;
  return [scanned === 0 ? 'No transcripts found for this project.' : line, ...warnings].join('\n');
}
