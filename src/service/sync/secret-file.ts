import fs from 'node:fs';
import { errorCode, Failure, messageOf, withDescriptor } from '#core/platform';

const bytesMax = 64 * 1024;

/** The text of a file with a secret, which only its user may read. @throws Failure `sync_secret_file` */
export function readSecretFile(file: string, what: string): string {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const why = errorCode(error) === 'ENOENT' ? 'it does not exist' : messageOf(error);
    throw refused(`the ${what} ${file} cannot be read: ${why}`, 'name a file that you can read');
  }
  return withDescriptor(fd, () => {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw refused(`the ${what} ${file} is not a file`, 'name a file');
    const mode = stat.mode & 0o777;
    if ((mode & 0o077) !== 0)
      throw refused(
        `the ${what} ${file} is open to others (mode 0${mode.toString(8)})`,
        `run \`chmod 600 ${file}\``,
      );
    if (process.getuid !== undefined && stat.uid !== process.getuid())
      throw refused(`the ${what} ${file} belongs to another user`, 'use a file of your own');
    if (stat.size > bytesMax) throw refused(`the ${what} ${file} is larger than 64 KiB`, 'check the name');
    return fs.readFileSync(fd, 'utf8');
  });
}

/** The first line. @throws Failure `sync_secret_file` */
export function readPassphrase(file: string): string {
  const [line = ''] = readSecretFile(file, 'passphrase file').split(/\r?\n/);
  if (line === '')
    throw refused(`the passphrase file ${file} is empty`, 'write the passphrase in its first line');
  return line;
}

function refused(what: string, repair: string): Failure {
  return new Failure('sync_secret_file', what, { safe: 'nothing was read and nothing was sent', repair });
}
