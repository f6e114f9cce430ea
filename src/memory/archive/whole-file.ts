import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { archiveChunkBytes } from '#core/limits';
import {
  createDurable,
  type DurableFile,
  Failure,
  isMine,
  removeIfThere,
  renameDurable,
  syncFolderSoon,
} from '#core/platform';

/**
 * Writes a file completely or not at all, mode 0600, in bounded memory: into a temporary file with a random name, since others
 * may write in the folder, then renamed. When this settles, the file survives a loss of power.
 * @throws Failure `no_file` if the file would belong to another user
 */
export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.${process.pid}.tmp`;
  const target = await createDurable(temporary, 'archive');
  const stat = target.stat();
  try {
    try {
      if (!isMine(stat)) throw notOwn(file, `it would belong to another user (uid ${stat.uid})`);
      await writeAll(target, lines);
      await target.datasync();
    } finally {
      await target.close();
    }
    await renameDurable(temporary, file, 'archive');
    // Another user of the folder may have replaced the temporary file.
    if (fs.lstatSync(file).ino !== stat.ino) throw notOwn(file, 'another user has replaced it');
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  await syncFolderSoon(path.dirname(file), 'archive');
}

function notOwn(file: string, why: string): Failure {
  return new Failure('no_file', `${file} cannot be written: ${why}`, {
    repair: 'name a file in a folder of your own',
  });
}

async function writeAll(target: DurableFile, lines: Iterable<string>): Promise<void> {
  let position = 0;
  let chunk: string[] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(chunk.join(''));
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await target.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
    position += bytes.length;
    chunk = [];
    chars = 0;
  };
  for (const line of lines) {
    chunk.push(line, '\n');
    chars += line.length + 1;
    if (chars >= archiveChunkBytes) await flush();
  }
  await flush();
}
