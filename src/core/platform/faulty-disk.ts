import fs from 'node:fs';
import path from 'node:path';
import type { DurableFile } from './descriptor.ts';
import { dueFault, faultPoint, suffer } from './faults.ts';

/**
 * What of the watched files is on the disk for certain, as an image a file in the folder `MEMD_FAULTS_DISK`: what the
 * last sync has covered, under the name that the last sync of the folder has made durable. A test that plays a power
 * loss may put anything between that image and the file in the file's place. Beside the image of a file that was
 * renamed since, or is new, lies `NAME.unbound`: then the whole file may be the old one, or missing.
 */
const images = process.env.MEMD_FAULTS_DISK ?? null;

type Change =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly at: number }
  | { readonly kind: 'truncate'; readonly length: number };

/** One file's content on the disk, and what a sync has still to take there. */
class Platter {
  content: Buffer;
  #changes: Change[] = [];

  constructor(content: Buffer) {
    this.content = content;
  }

  change(change: Change): void {
    this.#changes.push(change);
  }

  synced(): void {
    for (const change of this.#changes) this.#apply(change);
    this.#changes = [];
  }

  /** After a failed sync the kernel takes the pages for clean: what was in them reaches the disk never more. */
  syncFailed(): void {
    this.#changes = this.#changes.filter(({ kind }) => kind === 'truncate');
  }

  #apply(change: Change): void {
    const end = change.kind === 'write' ? change.at + change.bytes.length : change.length;
    if (change.kind === 'truncate' || end > this.content.length) {
      const resized = Buffer.alloc(change.kind === 'truncate' ? end : Math.max(end, this.content.length));
      this.content.copy(resized);
      this.content = resized;
    }
    if (change.kind === 'write') change.bytes.copy(this.content, change.at);
  }
}

/** By path: what the name means now, and what it would mean after a power loss. */
const current = new Map<string, Platter>();
const onDisk = new Map<string, Platter>();

/** A file that suffers the faults of its points. */
export async function watchedFile(
  file: string,
  point: string,
  openIt: () => Promise<DurableFile>,
): Promise<DurableFile> {
  faultPoint(`${point}.open`);
  const platter = new Platter(contentBefore(file));
  const isNew = !fs.existsSync(file);
  current.set(file, platter);
  if (!isNew) onDisk.set(file, platter);
  publish(file);
  const handle = await openIt();
  platter.change({ kind: 'truncate', length: 0 });
  return watched(handle, point, platter);
}

export function watchedRename(from: string, to: string): void {
  const platter = current.get(from);
  if (platter === undefined) return;
  current.set(to, platter);
  current.delete(from);
  publish(to);
}

export function watchedFolderSynced(folder: string): void {
  for (const [file, platter] of current) {
    if (path.dirname(file) !== folder) continue;
    onDisk.set(file, platter);
    publish(file);
  }
}

function watched(handle: DurableFile, point: string, platter: Platter): DurableFile {
  let refuseNext = false;
  const publishAll = (): void => {
    for (const [file, one] of onDisk) if (one === platter) publish(file);
  };
  const write = async (buffer: Buffer, offset: number, length: number, at: number) => {
    const fault = refuseNext ? ({ kind: 'enospc', bytes: 0 } as const) : dueFault(`${point}.write`);
    refuseNext = false;
    const isPartial = fault?.kind === 'short' || fault?.kind === 'torn';
    if (fault !== null && !isPartial) suffer(fault, `${point}.write`);
    const size = isPartial ? Math.min(fault.bytes, length) : length;
    const { bytesWritten } = await handle.write(buffer, offset, size, at);
    const bytes = Buffer.from(buffer.subarray(offset, offset + bytesWritten));
    platter.change({ kind: 'write', bytes, at });
    if (fault?.kind === 'torn') suffer(fault, `${point}.write`);
    refuseNext = fault?.kind === 'short';
    faultPoint(`${point}.write.after`);
    return { bytesWritten };
  };
  return {
    write,
    read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
    truncate: async (length) => {
      faultPoint(`${point}.truncate`);
      await handle.truncate(length);
      platter.change({ kind: 'truncate', length });
      faultPoint(`${point}.truncate.after`);
    },
    datasync: async () => {
      const fault = dueFault(`${point}.sync`);
      if (fault !== null) {
        platter.syncFailed();
        suffer(fault, `${point}.sync`);
      }
      await handle.datasync();
      platter.synced();
      publishAll();
      faultPoint(`${point}.sync.after`);
    },
    stat: () => handle.stat(),
    size: () => handle.size(),
    isAsWritten: (...look) => handle.isAsWritten(...look),
    close: () => handle.close(),
  };
}

/** What a former process's syncs have left of the file, or the file as it is. */
function contentBefore(file: string): Buffer {
  const image = imageOf(file);
  if (image !== null && fs.existsSync(image)) return fs.readFileSync(image);
  return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
}

function publish(file: string): void {
  const image = imageOf(file);
  if (image === null) return;
  const platter = onDisk.get(file);
  if (platter !== undefined) {
    // Whole or not at all: a kill may come from another thread at any time.
    fs.writeFileSync(`${image}.tmp`, platter.content);
    fs.renameSync(`${image}.tmp`, image);
  }
  if (current.get(file) === platter) fs.rmSync(`${image}.unbound`, { force: true });
  else fs.writeFileSync(`${image}.unbound`, '');
}

function imageOf(file: string): string | null {
  return images === null ? null : path.join(images, path.basename(file));
}
