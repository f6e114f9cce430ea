import fs from 'node:fs';
import path from 'node:path';
import { configBytesMax } from '../../core/limits.ts';
import {
  errorCode,
  Failure,
  isAlive,
  lstatIfThere,
  removeIfThere,
  syncFolder,
} from '../../core/platform/index.ts';

export const configBackupsMax = 5;

/** A file of an assistant, as it is. */
export interface ConfigFile {
  readonly file: string;
  /** Where it really lies: a user's settings may be links into a folder of dotfiles. */
  readonly target: string;
  /** Null when there is no file. */
  readonly text: string | null;
}

/** @throws Failure `bad_config` for what is no text file of this size, or a link to nothing */
export function readConfig(file: string): ConfigFile {
  let target: string;
  try {
    target = fs.realpathSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT')
      throw refusal(file, `cannot be opened (${errorCode(error) ?? 'unknown'})`);
    const stat = lstatIfThere(file);
    if (stat?.isSymbolicLink()) throw refusal(file, 'is a link to nothing');
    // Made meanwhile, by an assistant or another of us.
    if (stat !== null) return readConfig(file);
    return { file, target: file, text: null };
  }
  const stat = fs.statSync(target);
  if (!stat.isFile()) throw refusal(file, 'is no file');
  if (stat.size > configBytesMax) throw refusal(file, `is larger than ${configBytesMax} bytes`);
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(target);
  } catch (error) {
    throw refusal(file, `cannot be read (${errorCode(error) ?? 'unknown'})`);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw refusal(file, 'is not UTF-8');
  return { file, target, text };
}

function refusal(file: string, what: string): Failure {
  return new Failure('bad_config', `${file} ${what}`, {
    safe: 'nothing was changed',
    repair: 'put that right, then run this again',
  });
}

/**
 * Writes the file anew as a whole, with the mode and owner that it had, through a link to where it leads; a new one is 0600, and so
 * are its folders 0700. What was there is kept beside it, unless it comes back to what a former backup holds.
 * Answers the backup's name. @throws Failure `changed_meanwhile` when somebody has written to the file since it was read
 */
export function writeConfig(config: ConfigFile, text: string): string | null {
  checkUnchanged(config);
  return inWords(config.file, () => replaceConfig(config, text));
}

function replaceConfig(config: ConfigFile, text: string): string | null {
  if (config.text === null) makeFolders(path.dirname(config.file));
  const same = backupsOf(config.file).filter((name) => fs.readFileSync(name, 'utf8') === text);
  const backup = config.text === null || same.length > 0 ? null : backUp(config.file, config.text);
  writeTemporary(config, text);
  // The file itself is what they kept.
  for (const name of same) removeIfThere(name);
  return backup;
}

/**
 * Removes a file that held nothing but ours, and the folders that were made for it when nothing else is in them: by their mode, and
 * below `top` alone.
 */
export function removeConfig(config: ConfigFile, top: string): void {
  checkUnchanged(config);
  inWords(config.file, () => removeWithFolders(config.file, top));
}

function removeWithFolders(file: string, top: string): void {
  removeIfThere(file);
  for (let folder = path.dirname(file); isBelow(folder, top); folder = path.dirname(folder)) {
    const stat = lstatIfThere(folder);
    const isMade = stat?.isDirectory() === true && (stat.mode & 0o777) === 0o700;
    if (!isMade || fs.readdirSync(folder).length > 0) return;
    fs.rmdirSync(folder);
  }
}

/** What the system refuses is told; anything else is a broken invariant. */
function inWords<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new Failure('not_written', `${file} cannot be written (${code})`, {
      safe: 'it was left as it is',
      repair: 'put that right, then run this again',
      cause: error,
    });
  }
}

function isBelow(folder: string, top: string): boolean {
  return folder.startsWith(`${path.resolve(top)}${path.sep}`);
}

function checkUnchanged({ file, text }: ConfigFile): void {
  if (readConfig(file).text === text) return;
  throw new Failure('changed_meanwhile', `${file} was changed by another program meanwhile`, {
    safe: 'it was left as it is',
    repair: 'run this again, with the assistant ended',
  });
}

function writeTemporary({ target, text: former }: ConfigFile, text: string): void {
  const stat = former === null ? null : fs.statSync(target);
  // Its owner has closed it: a rename would go round that.
  if (stat !== null) fs.accessSync(target, fs.constants.W_OK);
  const beside = `${target}.memd-${process.pid}.tmp`;
  removeTemporary(target);
  try {
    const fd = fs.openSync(beside, 'wx', 0o600);
    try {
      fs.writeFileSync(fd, text);
      if (stat !== null) fs.fchmodSync(fd, stat.mode & 0o7777);
      const owner = stat ?? (isRoot() ? fs.statSync(path.dirname(target)) : null);
      if (owner !== null && (owner.uid !== process.getuid?.() || owner.gid !== process.getgid?.()))
        fs.fchownSync(fd, owner.uid, owner.gid);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(beside, target);
  } catch (error) {
    removeIfThere(beside);
    throw error;
  }
  syncFolder(path.dirname(target));
}

/** `sudo` may keep the home of whoever called it: what root makes there is for the owner of the folder that it is made in. */
function makeFolders(folder: string): void {
  const first = fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined || !isRoot()) return;
  const { uid, gid } = fs.statSync(path.dirname(first));
  for (let made = folder; made.length >= first.length; made = path.dirname(made))
    fs.lchownSync(made, uid, gid);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** What one who was killed before its rename has left: it holds whatever the settings hold. */
function removeTemporary(target: string): void {
  const [folder, begin] = [path.dirname(target), `${path.basename(target)}.memd-`];
  for (const { name } of fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const [, pid] = (name.startsWith(begin) && /^(\d+)\.tmp$/.exec(name.slice(begin.length))) || [];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      removeIfThere(path.join(folder, name));
  }
}

/** Never more than a few of them: each holds whatever secret the file holds. */
function backUp(file: string, text: string): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  for (let count = 1; ; count += 1) {
    const name = `${file}${infix}${time}${count === 1 ? '' : `-${count}`}`;
    try {
      fs.writeFileSync(name, text, { flag: 'wx', mode: 0o600 });
      const { uid, gid } = fs.statSync(file);
      if (isRoot()) fs.lchownSync(name, uid, gid);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      // On a full disk it is there and empty.
      removeIfThere(name);
      throw error;
    }
    for (const old of backupsOf(file).slice(0, -configBackupsMax)) removeIfThere(old);
    return name;
  }
}

const infix = '.memd-backup-';

/** The backups of a file, the oldest first. */
export function backupsOf(file: string): string[] {
  const folder = path.dirname(file);
  if (!fs.existsSync(folder)) return [];
  const begin = `${path.basename(file)}${infix}`;
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => name.startsWith(begin) && /^\d{8}T\d{6}Z(?:-\d+)?$/.test(name.slice(begin.length)))
    .sort()
    .map((name) => path.join(folder, name));
}
