import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, isInside, lstatIfThere, orElse } from '#core/platform';
import { lineHash, plainLine } from '#reading/edits';

/** A larger file is not read: its lines would hold up the thread. */
const stateFileBytesMax = 1_048_576;
const keptBytesMax = 8 * 1_048_576;
const binaryProbeBytes = 8_192;
/** Read faster than another thread is woken. */
const fewBytes = 65_536;
const pathCharsMax = 4_096;

/** The hashes of the lines of a file, or why they are not known; `missing` means that nothing is there. */
export type FileLines =
  | { readonly kind: 'lines'; readonly lines: ReadonlySet<number> }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unread'; readonly why: string };

interface Kept {
  readonly stamp: string;
  readonly bytes: number;
  readonly lines: ReadonlySet<number>;
}

/** The files of the workspace as they are now. Reads regular files inside it only, whatever links and special files are there. */
export class Tree {
  readonly root: string;
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  /** `root` is a real path. */
  constructor(root: string) {
    this.root = root;
  }

  /** The distinct lines of a file by its path in the workspace, as `hashesOf` gives them. */
  async lines(name: string): Promise<FileLines> {
    if (name.length > pathCharsMax || name.includes('\0'))
      return { kind: 'unread', why: 'its path is not valid' };
    const full = path.join(this.root, name);
    if (!isInside(this.root, full)) return { kind: 'unread', why: 'it is outside of the workspace' };
    try {
      const real = fs.realpathSync.native(full);
      if (!isInside(this.root, real)) return { kind: 'unread', why: 'a link leads out of the workspace' };
      if (isSecretName(name) || isSecretName(path.relative(this.root, real)))
        return { kind: 'unread', why: 'files of this name hold secrets' };
      return await this.#read(real);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
      return { kind: 'unread', why: `it cannot be read (${code ?? 'unknown error'})` };
    }
  }

  /** Whether a file or folder of this name is in the workspace. */
  async has(name: string): Promise<boolean> {
    const full = path.join(this.root, name);
    if (name.length > pathCharsMax || name.includes('\0') || !isInside(this.root, full)) return false;
    // A part of the path is a file, or not readable.
    return orElse(() => lstatIfThere(full) !== null, false);
  }

  async #read(real: string): Promise<FileLines> {
    const before = fs.lstatSync(real);
    if (!before.isFile()) return { kind: 'unread', why: 'it is not a regular file' };
    if (before.size > stateFileBytesMax) return { kind: 'unread', why: 'the file is too large to check' };
    const kept = this.#kept.get(real);
    if (kept?.stamp === stampOf(before)) {
      this.#kept.delete(real);
      this.#kept.set(real, kept);
      return { kind: 'lines', lines: kept.lines };
    }
    const read = await readRegular(real, this.root, stateFileBytesMax);
    if (read === null) return { kind: 'unread', why: 'the file changed while it was read' };
    if (read.bytes.subarray(0, binaryProbeBytes).includes(0))
      return { kind: 'unread', why: 'the file is binary' };
    // Files of a search are read one after the other, so that other requests come in between.
    await nextTurn();
    const lines = hashesOf(read.bytes.toString('utf8'));
    this.#keep(real, { stamp: stampOf(read.stat), bytes: read.bytes.length, lines });
    return { kind: 'lines', lines };
  }

  #keep(real: string, kept: Kept): void {
    this.#keptBytes += kept.bytes - (this.#kept.get(real)?.bytes ?? 0);
    this.#kept.set(real, kept);
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= keptBytesMax) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}

export function hashesOf(text: string): Set<number> {
  return new Set(text.split('\n').map((line) => lineHash(plainLine(line))));
}

/** The bytes of a regular file of at most `bytesMax` bytes below `root`; null when it is not one (any more). A FIFO never blocks. */
export async function readRegular(
  real: string,
  root: string,
  bytesMax: number,
): Promise<{ readonly bytes: Buffer; readonly stat: Stats } | null> {
  // What is in the system's cache is answered faster than another thread is woken; only the reading of much may take long.
  const file = fs.openSync(real, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  try {
    const stat = fs.fstatSync(file);
    if (!stat.isFile() || stat.size > bytesMax) return null;
    // A folder on the way may have become a link since.
    if (!isInside(root, fs.realpathSync.native(real))) return null;
    const buffer = Buffer.alloc(stat.size + 1);
    const isShort = stat.size <= fewBytes;
    const read = isShort
      ? fs.readSync(file, buffer)
      : (await readAt(file, buffer, 0, buffer.length, 0)).bytesRead;
    return read > stat.size ? null : { bytes: buffer.subarray(0, read), stat };
  } finally {
    fs.closeSync(file);
  }
}

const readAt = promisify(fs.read);

function stampOf({ mtimeMs, ctimeMs, size, ino, dev }: Stats): string {
  return [mtimeMs, ctimeMs, size, ino, dev].join(' ');
}

function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Files that hold keys and passwords by convention; examples and templates of them do not. */
const secretName =
  /(?:^|\/)(?:\.env(?:\.(?!(?:example|sample|template|dist)$)[^/]*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml|env)|[^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|tfvars))$|(?:^|\/)\.(?:ssh|aws|gnupg)\//i;
