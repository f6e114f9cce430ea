import fs from 'node:fs';
import path from 'node:path';
import { configBytesMax } from '#core/limits';
import { errorCode, Failure, isAlive, lstatIfThere, orElse, removeIfThere, syncFolder } from '#core/platform';
import { badConfig } from './text/bad-config.ts';

// Each holds the secrets of the file.
export const configBackupsMax = 5;

/** A settings file of an assistant. */
export interface ConfigFile {
  readonly file: string;
  /** Its real path: settings may be links to a folder of dotfiles. */
  readonly target: string;
  /** Null if the file is missing. */
  readonly text: string | null;
}

/** @throws Failure `bad_config` unless it is a text file of at most `configBytesMax`, or missing */
export function readConfig(file: string): ConfigFile {
  let target: string;
  try {
    target = fs.realpathSync(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT')
      throw refusal(file, `cannot be opened (${errorCode(error) ?? 'unknown'})`);
    const stat = lstatIfThere(file);
    if (stat?.isSymbolicLink()) throw refusal(file, 'is a link to a missing file');
    // Another process has just created it.
    if (stat !== null) return readConfig(file);
    return { file, target: file, text: null };
  }
  const stat = fs.statSync(target);
  if (!stat.isFile()) throw refusal(file, 'is not a file');
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
  return badConfig(`${file} ${what}`, 'correct that');
}

/**
 * Replaces the file, with its mode and owner and through a link; a new file is 0600, its new folders 0700. Keeps a backup unless
 * `text` equals an earlier one. Returns the backup's name. @throws Failure `changed_meanwhile` if the file has changed since it was read
 */
export function writeConfig(config: ConfigFile, text: string): string | null {
  checkUnchanged(config);
  return asFailure(config.file, () => replaceConfig(config, text));
}

function replaceConfig(config: ConfigFile, text: string): string | null {
  if (config.text === null) makeFolders(path.dirname(config.file));
  const same = backupsOf(config.file).filter((name) => fs.readFileSync(name, 'utf8') === text);
  const backup = config.text === null || same.length > 0 ? null : backUp(config.file, config.text);
  writeTemporary(config, text);
  // The file has their text again.
  for (const name of same) removeIfThere(name);
  return backup;
}

/** Removes a file that is entirely ours, and the empty folders below `top` that were made for it (known by their mode). */
export function removeConfig(config: ConfigFile, top: string): void {
  checkUnchanged(config);
  asFailure(config.file, () => removeWithFolders(config.file, top));
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

/** Turns errors of the system into a Failure. */
function asFailure<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new Failure('not_written', `cannot write ${file} (${code})`, {
      safe: 'it was not changed',
      repair: 'correct that, then run it again',
      cause: error,
    });
  }
}

function isBelow(folder: string, top: string): boolean {
  return folder.startsWith(`${path.resolve(top)}${path.sep}`);
}

function checkUnchanged({ file, text }: ConfigFile): void {
  if (readConfig(file).text === text) return;
  throw new Failure('changed_meanwhile', `another program has just changed ${file}`, {
    safe: 'it was not changed',
    repair: 'end the assistant, then run it again',
  });
}

function writeTemporary({ target, text: former }: ConfigFile, text: string): void {
  const stat = former === null ? null : fs.statSync(target);
  // A rename would ignore that the file is read-only.
  if (stat !== null) fs.accessSync(target, fs.constants.W_OK);
  const temporary = `${target}.memd-${process.pid}.tmp`;
  removeTemporary(target);
  try {
    const fd = fs.openSync(temporary, 'wx', 0o600);
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
    fs.renameSync(temporary, target);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  syncFolder(path.dirname(target));
}

/** Under `sudo` HOME may be that of another user: new folders get the owner of their parent. */
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

/** What a process that was killed before its rename has left. It may hold secrets. */
function removeTemporary(target: string): void {
  const [folder, begin] = [path.dirname(target), `${path.basename(target)}.memd-`];
  for (const { name } of fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const [, pid] = (name.startsWith(begin) && /^(\d+)\.tmp$/.exec(name.slice(begin.length))) || [];
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      removeIfThere(path.join(folder, name));
  }
}

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
      // On a full disk an empty file remains.
      removeIfThere(name);
      throw error;
    }
    for (const old of backupsOf(file).slice(0, -configBackupsMax)) removeIfThere(old);
    return name;
  }
}

const infix = '.memd-backup-';

/** The oldest first. */
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

/** Whether a settings file that can be read has the text. */
export function mentions(file: string, text: string): boolean {
  // Missing, or not accessible.
  return orElse(() => {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= configBytesMax && fs.readFileSync(file, 'latin1').includes(text);
  }, false);
}
