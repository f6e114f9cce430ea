import fs from 'node:fs';
import path from 'node:path';
import { jsonText } from '#core/event';
import { removalTimeoutMs } from '#core/limits';
import { Failure } from '#core/platform';
import { ask, ensureDaemon, userOf, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { withProgress } from '../progress.ts';
import { type ImportReply, read } from '../replies.ts';
import { count, plural, printable } from '../words.ts';

interface Options {
  readonly forgotten?: boolean;
  readonly mine?: boolean;
  readonly json?: boolean;
}

export const importCommand: AddCommand = (program, io) => {
  command(program, 'import', 'import a file of `mem export` or `mem prune`', [
    'mem import memories.ndjson',
    'mem import ~/.memd/default/workspaces/app-0123456789ab/restore-20260131T120000.000Z.ndjson',
  ])
    .argument('<FILE>', 'the file')
    .option('--forgotten', 'also import what was forgotten or pruned here since')
    .option('--mine', 'the file is yours, whatever author it names')
    .action(async (file: string, { json = false, ...options }: Options) => {
      const workspace = workspaceOf(io);
      const target = path.resolve(io.cwd, file);
      // Before the daemon, whose start begins a memory.
      if (!fs.existsSync(target))
        throw new Failure('no_file', `${target} does not exist`, { safe: 'nothing was imported' });
      await ensureDaemon(workspace, io);
      const author = (await userOf(workspace, io)) ?? '';
      const request = { op: 'import', file: target, ...options, author };
      const reply = await withProgress(io, 'importing', (progress) => {
        const interim = (fields: unknown): void => {
          const { bytes, bytesTotal } = read('importProgress', fields).progress;
          progress.report('importing', bytes, bytesTotal, 'bytes');
        };
        return ask(workspace, request, { timeoutMs: removalTimeoutMs, interim });
      });
      const result = read('import', reply);
      io.out(json ? jsonText({ ok: true, ...result }, 2) : describe(result));
      for (const { line, reason } of result.badLines) io.note(`mem: skipped line ${line}: ${reason}`);
      const more = result.bad - result.badLines.length;
      if (more > 0) io.note(`mem: skipped ${plural(more, 'more line')}`);
      const { noted, known, stayed, forgotten: left, bad } = result;
      if (bad > 0 && rowsOf(result) + noted + known + stayed + left === 0) throw new Unsuccessful();
    });
};

export function describe(result: ImportReply): string {
  const { noted, stayed, known, forgotten, loose, redacted } = result;
  const imported = [
    [result.events, 'event'],
    [result.summaries, 'summary'],
    [result.edges, 'edge'],
    [result.prompts, 'prompt'],
    [result.digests, 'digest'],
  ] as const;
  const parts = imported.filter(([value]) => value > 0).map(([value, noun]) => plural(value, noun));
  const notes = [
    [known, 'known already'],
    [redacted, 'redacted'],
    [loose, 'left out because their event is missing'],
    [noted, 'forgotten or pruned there; they are not imported later either'],
    [stayed, 'forgotten or pruned there, but kept here'],
    [forgotten, 'left out because they were forgotten or pruned here (import them with --forgotten)'],
  ] as const;
  return [
    `imported ${parts.length > 0 ? parts.join(', ') : 'nothing new'}`,
    ...notes.filter(([value]) => value > 0).map(([value, what]) => `${count(value)} ${what}`),
    ...(result.author === null
      ? []
      : [`recorded by ${printable(result.author)} (if that is you, run it with --mine)`]),
  ].join('; ');
}

function rowsOf({ events, summaries, edges, prompts, digests }: ImportReply): number {
  return events + summaries + edges + prompts + digests;
}
