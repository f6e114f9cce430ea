// Preloaded into a daemon under test. Keeps in the folder MEMD_FAULTS_DISK one image per watched file: what the last
// sync has written, under the name that the last sync of the folder has made durable. A test that simulates a power loss
// may replace the file by anything between that image and the file. `NAME.unbound` next to an image marks a file that is
// new or was renamed since: then the whole file may be the old one, or missing.
const fs = require('node:fs');
const path = require('node:path');

const images = process.env.MEMD_FAULTS_DISK;

/** One file's content on the disk, and the changes that no sync has written. */
class Platter {
  changes = [];

  constructor(content) {
    this.content = content;
  }

  wrote(bytes, at) {
    this.changes.push({ kind: 'write', bytes, at });
  }

  truncated(length) {
    this.changes.push({ kind: 'truncate', length });
  }

  synced() {
    for (const change of this.changes) this.apply(change);
    this.changes = [];
    for (const [file, platter] of onDisk) if (platter === this) publish(file);
  }

  /** After a failed sync the kernel drops the written pages. */
  syncFailed() {
    this.changes = this.changes.filter(({ kind }) => kind === 'truncate');
  }

  apply(change) {
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
const current = new Map();
const onDisk = new Map();

/** What the syncs of an earlier process have left of the file, or the file as it is. */
function contentBefore(file) {
  const image = imageOf(file);
  if (fs.existsSync(image)) return fs.readFileSync(image);
  return fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
}

function publish(file) {
  const image = imageOf(file);
  const platter = onDisk.get(file);
  if (platter !== undefined) {
    // Whole or not at all: another thread may kill the process at any time.
    fs.writeFileSync(`${image}.tmp`, platter.content);
    fs.renameSync(`${image}.tmp`, image);
  }
  if (current.get(file) === platter) fs.rmSync(`${image}.unbound`, { force: true });
  else fs.writeFileSync(`${image}.unbound`, '');
}

function imageOf(file) {
  return path.join(images, path.basename(file));
}

const disk = {
  opening(file) {
    const platter = new Platter(contentBefore(file));
    current.set(file, platter);
    if (fs.existsSync(file)) onDisk.set(file, platter);
    publish(file);
    return platter;
  },
  renaming(from, to) {
    const platter = current.get(from);
    if (platter === undefined) return;
    current.set(to, platter);
    current.delete(from);
    publish(to);
  },
  folderSynced(folder) {
    for (const [file, platter] of current) {
      if (path.dirname(file) !== folder) continue;
      onDisk.set(file, platter);
      publish(file);
    }
  },
};

if (images !== undefined) globalThis[Symbol.for('memd.test-disk')] = disk;
