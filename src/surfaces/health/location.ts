import fs from 'node:fs';
import path from 'node:path';
import { Failure, lstatIfThere, networkVolume, socketAddress } from '#core/platform';
import type { Workspace } from '#core/workspace';
import type { Check, Problem } from './check.ts';
import { quoted, size } from './words.ts';

/** Whether the data directory is writable, on a local disk, and its socket path usable. */
export const paths: Check = {
  code: 'paths',
  severity: 'error',
  sentence: 'the data directory is not usable',
  repair: 'set HOME to a folder of your own on a local disk',
  run: async ({ workspace }) => [
    ...checkAccess(workspace),
    ...checkSocket(workspace),
    ...checkVolumeKind(workspace),
  ],
};

function checkAccess({ base, folder }: Workspace): Problem[] {
  return [...new Set([nearest(base), nearest(folder)])].flatMap((place) => {
    try {
      fs.accessSync(place, fs.constants.W_OK | fs.constants.X_OK);
      return [];
    } catch {
      // The reason does not matter: nothing can be written here.
      const repair = `run \`chmod u+rwx ${quoted(place)}\` (on a read-only volume: set HOME to another folder)`;
      return [{ sentence: 'the data directory is not writable', detail: place, repair }];
    }
  });
}

function checkSocket({ folder, socket }: Workspace): Problem[] {
  if (lstatIfThere(folder) === null) return [];
  try {
    socketAddress(socket).release();
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ detail: error.what, ...(error.repair === null ? {} : { repair: error.repair }) }];
  }
}

/** SQLite's WAL mode needs shared memory (https://www.sqlite.org/wal.html), which a network volume does not offer. */
function checkVolumeKind({ base }: Workspace): Problem[] {
  const name = networkVolume(nearest(base));
  if (name === null) return [];
  const sentence = 'the data directory is on a network volume, where SQLite can lose data';
  return [{ severity: 'warning', sentence, detail: `${base} (${name})` }];
}

// A migration and a scrub write the database a second time.
const freeBytesMin = 512 * 1024 * 1024;
const freeInodesMin = 1_000;

export const disk: Check = {
  code: 'disk',
  severity: 'warning',
  sentence: 'the disk of the data directory is nearly full',
  repair: 'free some space: docs/operations.md says what memd can remove',
  run: async ({ workspace: { base } }) => checkVolume(nearest(base), fs.statfsSync(nearest(base))),
};

type Volume = Pick<fs.StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>;

/** A file system that allocates inodes on demand reports 0 `files`. */
export function checkVolume(place: string, { bavail, bsize, files, ffree }: Volume): Problem[] {
  const free = bavail * bsize;
  const isFull = free <= 0 || (files > 0 && ffree <= 0);
  const more: Partial<Problem> = isFull
    ? { severity: 'error', sentence: 'the disk of the data directory is full' }
    : {};
  return [
    ...(free < freeBytesMin ? [{ ...more, detail: `${size(free)} free at ${place}` }] : []),
    ...(files > 0 && ffree < freeInodesMin ? [{ ...more, detail: `${ffree} inodes free at ${place}` }] : []),
  ];
}

/** The folder itself, or the nearest existing one above it. */
function nearest(folder: string): string {
  const above = path.dirname(folder);
  return lstatIfThere(folder) !== null || above === folder ? folder : nearest(above);
}
