import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Failure, removeIfThere } from '#core/platform';
import { notSent } from './address.ts';
import { type Git, lastLine } from './git.ts';
import { isKeyFile, type KeyFile } from './seal.ts';

/** A file of the branch: a segment of a device, or a key. */
export interface Entry {
  readonly path: string;
  /** Empty for a key. */
  readonly device: string;
  readonly oid: string;
  readonly bytes: number;
}

export interface Tip {
  readonly commit: string;
  readonly tree: string;
  readonly entries: readonly Entry[];
  /** Files that are not memd's, or larger than it writes: they are not read, and not kept. */
  readonly odd: number;
}

export const segmentBytesMax = 8 * 1024 * 1024;
const keyBytesMax = 1024;
const entriesMax = 200_000;
const readBytesMax = 32 * 1024 * 1024;

const segmentName = /^devices\/([0-9a-f]{32})\/\d{8}\.(?:age|ndjson)$/;
const keyName = /^keys\/[0-9a-f]{32}\.age$/;

const tipRef = 'refs/memd/tip';
const ownRef = 'refs/memd/own';

/** memd's bare clone: what this device has sent, and the last known state of the remote. */
export class Clone {
  readonly #git: Git;
  readonly #remote: string;
  readonly #branch: string;

  /** `branch`: the full name of the ref on the remote. */
  constructor(git: Git, remote: string, branch: string) {
    this.#git = git;
    this.#remote = remote;
    this.#branch = branch;
  }

  /** Creates it if it is missing or was not finished. */
  async ensure(): Promise<void> {
    const { folder } = this.#git;
    if (fs.existsSync(path.join(folder, 'HEAD')) && fs.existsSync(path.join(folder, 'objects'))) return;
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    await this.#git.local(['init', '--bare', '--quiet', '--template=']);
  }

  /** Gets the branch; null when the remote has none. @throws Failure `sync_remote`, `sync_timeout` */
  async fetch(): Promise<Tip | null> {
    const refs = `+${this.#branch}:${tipRef}`;
    const flags = ['--no-tags', '--no-write-fetch-head', '--depth=1', '--progress', '--update-shallow'];
    const ran = await this.#git.remote(['fetch', ...flags], this.#remote, refs);
    if (ran.code === 0) return this.tip();
    if (/couldn't find remote ref/i.test(ran.stderr)) {
      await this.#git.local(['update-ref', '-d', tipRef]);
      return null;
    }
    throw unreachable(this.#remote, ran.stderr);
  }

  /** The last known state of the remote. What only has the name of a key is neither read nor kept. */
  async tip(): Promise<Tip | null> {
    const tip = await this.#at(tipRef);
    if (tip === null) return null;
    const keys = new Set((await this.keys(tip.entries)).map((key) => key.path));
    const entries = tip.entries.filter((entry) => entry.device !== '' || keys.has(entry.path));
    return { ...tip, entries, odd: tip.odd + tip.entries.length - entries.length };
  }

  /** The keys among the entries. */
  async keys(entries: readonly Entry[]): Promise<KeyFile[]> {
    const keys: KeyFile[] = [];
    const all = entries.filter(({ device }) => device === '');
    for await (const { entry, content } of this.read(all)) keys.push({ path: entry.path, content });
    return keys.filter(isKeyFile);
  }

  /** What this device sends; null before the first segment, and in a new clone. */
  own(): Promise<Tip | null> {
    return this.#at(ownRef);
  }

  async setOwn(entries: readonly Entry[]): Promise<void> {
    const commit = await this.commit(await this.tree(entries), null);
    await this.#git.local(['update-ref', ownRef, commit]);
  }

  async write(content: Uint8Array): Promise<string> {
    return word(
      await this.#git.local(['hash-object', '-w', '--stdin', '--no-filters'], Buffer.from(content)),
    );
  }

  /** Contents in the order of the entries, some at a time. */
  async *read(
    entries: readonly Entry[],
  ): AsyncGenerator<{ readonly entry: Entry; readonly content: Buffer }> {
    for (let from = 0; from < entries.length; ) {
      let [to, bytes] = [from, 0];
      for (
        let next = entries[to];
        next !== undefined && (to === from || bytes < readBytesMax);
        next = entries[to]
      ) {
        bytes += next.bytes;
        to += 1;
      }
      const some = entries.slice(from, to);
      const out = await this.#git.local(['cat-file', '--batch'], some.map(({ oid }) => `${oid}\n`).join(''));
      let at = 0;
      for (const entry of some) {
        const end = out.indexOf(10, at);
        const size = Number(out.toString('latin1', at, end).split(' ')[2] ?? Number.NaN);
        if (!Number.isSafeInteger(size))
          throw new Failure('sync_git', `${this.#git.folder} lacks an object of the remote`);
        yield { entry, content: out.subarray(end + 1, end + 1 + size) };
        at = end + 1 + size + 1;
      }
      from = to;
    }
  }

  async tree(entries: readonly Entry[]): Promise<string> {
    const index = path.join(this.#git.folder, `index.${process.pid}`);
    try {
      const lines = entries.map(({ path: name, oid }) => `100644 ${oid}\t${name}\0`).join('');
      await this.#git.local(['update-index', '-z', '--index-info'], lines, index);
      return word(await this.#git.local(['write-tree'], '', index));
    } finally {
      removeIfThere(index);
      removeIfThere(`${index}.lock`);
    }
  }

  async commit(tree: string, parent: string | null): Promise<string> {
    const behind = parent === null ? [] : ['-p', parent];
    // Never the id of an earlier commit of the same second: the clone is shallow there, and a remote whose branch was deleted refuses that.
    const message = `memd sync ${randomBytes(8).toString('hex')}`;
    return word(await this.#git.local(['commit-tree', tree, ...behind, '-m', message]));
  }

  /**
   * Returns whether the remote took it: not when another device was faster. `over`: replaces a branch that still is at this commit.
   * @throws Failure `sync_remote`, `sync_timeout`
   */
  async push(commit: string, over: string | null): Promise<boolean> {
    const lease = over === null ? [] : [`--force-with-lease=${this.#branch}:${over}`];
    const flags = ['--porcelain', '--progress', '--no-verify', '--no-signed', ...lease];
    const ran = await this.#git.remote(['push', ...flags], this.#remote, `${commit}:${this.#branch}`);
    if (ran.code === 0) {
      await this.#git.local(['update-ref', tipRef, commit]);
      return true;
    }
    const said = `${ran.stdout.toString('utf8')}\n${ran.stderr}`;
    if (
      /\[rejected\]|stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value|shallow update not allowed/i.test(
        said,
      ) &&
      !/hook declined|pre-receive/i.test(said)
    )
      return false;
    throw unreachable(this.#remote, said);
  }

  /** Removes everything that neither the remote's last state nor this device's own needs. */
  async tidy(): Promise<void> {
    await this.#git.local(['repack', '-a', '-d', '-q']);
    await this.#git.local(['prune', '--expire=now']);
  }

  async #at(ref: string): Promise<Tip | null> {
    const ran = await this.#git.run(['rev-parse', '--verify', '-q', `${ref}^{commit}`]);
    if (ran.code !== 0) return null;
    const commit = word(ran.stdout);
    const tree = word(await this.#git.local(['rev-parse', '--verify', '-q', `${ref}^{tree}`]));
    const lines = (await this.#git.local(['ls-tree', '-r', '-l', '-z', '--full-tree', tree]))
      .toString('utf8')
      .split('\0');
    // A list that is cut would remove the rest from the branch at the next push.
    if (lines.length > entriesMax)
      throw notSent(
        `the branch at ${this.#remote} has more than ${entriesMax} files`,
        'use another remote for some of the devices',
      );
    const found = lines.filter(Boolean).map(entryOf);
    const entries = found.filter((entry) => entry !== null);
    return { commit, tree, entries, odd: found.length - entries.length };
  }
}

/** The entry of a line of `ls-tree`; null for what memd does not write. */
function entryOf(line: string): Entry | null {
  const [, mode, type, oid = '', size, name = ''] =
    /^(\d+) (\w+) ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
  if (mode !== '100644' || type !== 'blob') return null;
  const bytes = Number(size);
  const device = segmentName.exec(name)?.[1];
  if (device !== undefined) return bytes <= segmentBytesMax ? { path: name, device, oid, bytes } : null;
  return keyName.test(name) && bytes <= keyBytesMax ? { path: name, device: '', oid, bytes } : null;
}

function word(out: Buffer): string {
  return out.toString('utf8').trim();
}

function unreachable(remote: string, stderr: string): Failure {
  const what = `the remote ${remote} refused: ${lastLine(stderr)}`;
  return notSent(what, 'check the address and your rights there, and run `memd sync` again');
}
