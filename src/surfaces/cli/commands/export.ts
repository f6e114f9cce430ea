import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { escapedJson } from '../../../core/event/index.ts';
import { Failure, isMine, lstatIfThere, messageOf } from '../../../core/platform/index.ts';
import type { Workspace } from '../../../core/workspace/index.ts';
import { exportLines, markdownLines, writeLines } from '../../../memory/archive/index.ts';
import { isCorruption, openStoreReadOnly } from '../../../memory/store/index.ts';
import { ask, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { onStore } from '../own-store.ts';
import { type AddCommand, command } from '../program.ts';
import { plural } from '../words.ts';

export const exportCommand: AddCommand = (program, io) => {
  command(
    program,
    'export',
    'write all memories to a file, as lines that `mem import` takes or as Markdown',
    [
      'mem export memories.ndjson',
      'mem export | gzip > memories.ndjson.gz',
      'mem export --markdown memories.md',
    ],
  )
    .argument('[FILE]', 'where to (default: stdout)')
    .addOption(new Option('--markdown', 'for people to read; it cannot be imported').conflicts('json'))
    .option('--json', 'lines of JSON (NDJSON): as without it')
    .action(async (file: string | undefined, { markdown = false }: { markdown?: boolean }) => {
      const workspace = workspaceOf(io);
      await settle(workspace);
      const store = openStoreReadOnly(workspace.database);
      if (store === null) {
        throw new Failure('no_memory', `there is no memory of ${workspace.root} yet`, {
          repair: 'run: memd up',
        });
      }
      await onStore(store, async () => {
        const lines = markdown ? markdownLines(store, path.basename(workspace.root)) : exportLines(store);
        if (file === undefined) await toStdout(markdown ? lines : escaped(lines));
        else await toFile(path.resolve(io.cwd, file), lines, io);
      });
    });
};

/** Before it answers anything, a daemon has what it was told last in the database; without one there is nobody to ask. */
async function settle(workspace: Workspace): Promise<void> {
  try {
    await ask(workspace, { op: 'recent', limit: 1 });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

function* escaped(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield escapedJson(line);
}

async function toStdout(lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(withNewlines(lines)), process.stdout, { end: false });
}

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
    // A pipe or a device cannot be replaced as a whole.
    if (stat === undefined || stat.isFile()) await writeLines(target, counted());
    else await toDevice(target, counted());
  } catch (error) {
    if (error instanceof Failure || isCorruption(error)) throw error;
    throw new Failure('no_file', `${file} cannot be written: ${messageOf(error)}`, {
      repair: 'make room there, or name another file',
      cause: error,
    });
  }
  io.note(`${plural(count, 'line')} written to ${file}`);
}

/** Where a link of this user's own leads, else the file itself: in a shared folder anybody can lay a link to a file of this user's. */
function targetOf(file: string): string {
  const stat = lstatIfThere(file);
  if (!stat?.isSymbolicLink()) return file;
  if (!isTrusted(stat)) throw notOurs(file, 'a link');
  return fs.existsSync(file) ? fs.realpathSync(file) : file;
}

/**
 * Checked as it was opened: a pipe that somebody else has laid there would give him all that is written. And before: to open one that
 * nobody reads waits for ever.
 */
async function toDevice(file: string, lines: Iterable<string>): Promise<void> {
  if (!isTrusted(fs.statSync(file))) throw notOurs(file, 'a pipe or device');
  const fd = fs.openSync(file, fs.constants.O_WRONLY);
  if (!isTrusted(fs.fstatSync(fd))) {
    fs.closeSync(fd);
    throw notOurs(file, 'a pipe or device');
  }
  await pipeline(Readable.from(withNewlines(lines)), fs.createWriteStream(file, { fd }));
}

/** The system's own are `/dev/stdout` and `/dev/null`. */
function isTrusted(stat: fs.Stats): boolean {
  return isMine(stat) || stat.uid === 0;
}

function notOurs(file: string, what: string): Failure {
  return new Failure('no_file', `${file} is ${what} of another user`, {
    safe: 'nothing was written to it',
    repair: 'name a file in a folder of your own',
  });
}

function* withNewlines(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}
