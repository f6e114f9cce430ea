import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { escapedJson } from '#core/event';
import { Failure, isMine, lstatIfThere, messageOf, nullIfFailure, systemRepair } from '#core/platform';
import { exportLines, markdownLines, writeLines } from '#memory/archive';
import { isCorruption, openStoreReadOnly } from '#memory/store';
import { ask, userOf, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command } from '../program.ts';
import { plural } from '../words.ts';

export const exportCommand: AddCommand = (program, io) => {
  command(program, 'export', 'write all memories to a file, as NDJSON for `mem import` or as Markdown', [
    'mem export memories.ndjson',
    'mem export | gzip > memories.ndjson.gz',
    'mem export --markdown memories.md',
  ])
    .argument('[FILE]', 'the file (default and -: stdout)')
    .addOption(new Option('--markdown', 'write Markdown, which cannot be imported').conflicts('json'))
    .action(async (file: string | undefined, { markdown = false }: { markdown?: boolean }) => {
      const workspace = workspaceOf(io);
      // A daemon that answers has committed the events before the request. Without one there is nothing to wait for.
      await ask(workspace, { op: 'recent', limit: 1 }).catch(nullIfFailure);
      const store = openStoreReadOnly(workspace.database);
      if (store === null)
        throw new Failure('no_memory', `there is no memory of ${workspace.root} yet`, {
          repair: 'run `memd setup`',
        });
      await onStore(store, async () => {
        const lines = markdown
          ? markdownLines(store, path.basename(workspace.root))
          : exportLines(store, await userOf(workspace, io));
        if (file !== undefined && file !== '-') return toFile(path.resolve(io.cwd, file), lines, io);
        const source = Readable.from(withNewlines(lines, markdown ? (line) => line : escapedJson));
        await pipeline(source, process.stdout, { end: false });
      });
    });
};

async function toFile(file: string, lines: Iterable<string>, io: Io): Promise<void> {
  let count = 0;
  const counted = function* (): Generator<string> {
    for (const line of lines) {
      count += 1;
      yield line;
    }
  };
  try {
    const target = targetOf(file);
    const stat = fs.statSync(target, { throwIfNoEntry: false });
    if (stat?.isDirectory()) throw new Failure('no_file', `${file} is a folder`, { repair: 'name a file' });
    // A pipe or a device cannot be replaced by a new file.
    if (stat !== undefined && !stat.isFile())
      throw new Failure('no_file', `${file} is a pipe or device`, { repair: 'run `mem export > FILE`' });
    await writeLines(target, counted());
  } catch (error) {
    if (error instanceof Failure || isCorruption(error)) throw error;
    const folder = path.dirname(file);
    const reason = fs.existsSync(folder) ? messageOf(error) : `there is no folder ${folder}`;
    throw new Failure('no_file', `cannot write ${file}: ${reason}`, {
      repair: systemRepair(error) ?? 'name another file',
      cause: error,
    });
  }
  io.note(`wrote ${plural(count, 'line')} to ${file}`);
}

/** Follows a link only if this user made it: in a shared folder anybody can make a link to this user's files. */
function targetOf(file: string): string {
  const stat = lstatIfThere(file);
  if (!stat?.isSymbolicLink()) return file;
  if (isMine(stat) || stat.uid === 0) return fs.existsSync(file) ? fs.realpathSync(file) : file;
  throw new Failure('no_file', `${file} is a link of another user`, {
    safe: 'nothing was written to it',
    repair: 'name a file in a folder of your own',
  });
}

function* withNewlines(lines: Iterable<string>, format: (line: string) => string): Generator<string> {
  for (const line of lines) yield `${format(line)}\n`;
}
