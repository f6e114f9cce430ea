import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';
import type { Check, Found } from './check.ts';
import { size } from './words.ts';

// The volume of ~/.memd. A migration and a scrub write the database a second time.
const diskFreeBytesMin = 512 * 1024 * 1024;
const diskFreeInodesMin = 1_000;

/** What is left on the volume of `~/.memd`. */
export const disk: Check = {
  code: 'disk',
  severity: 'warning',
  sentence: 'the disk of the memory is nearly full',
  repair: 'make room on it, or remove what memd keeps beside a database (docs/operations.md, "Room")',
  look: async ({ workspace: { base } }) => lookAtVolume(nearest(base), fs.statfsSync(nearest(base))),
  fix: null,
};

type Volume = Pick<fs.StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>;

/** `ffree` counts for nothing on a file system that makes inodes as it needs them: those tell of none at all. */
export function lookAtVolume(place: string, { bavail, bsize, files, ffree }: Volume): Found[] {
  const free = bavail * bsize;
  return [
    ...(free < diskFreeBytesMin ? [{ ...full(free), detail: `${size(free)} free at ${place}` }] : []),
    ...(files > 0 && ffree < diskFreeInodesMin
      ? [{ ...full(ffree), detail: `${ffree} inodes free at ${place}` }]
      : []),
  ];
}

/** Nothing is left, so that nothing is captured. */
function full(left: number): Partial<Found> {
  return left > 0 ? {} : { severity: 'error', sentence: 'the disk of the memory is full' };
}

/** The folder itself, or the nearest one above it that is there. */
export function nearest(folder: string): string {
  const above = path.dirname(folder);
  return lstatIfThere(folder) !== null || above === folder ? folder : nearest(above);
}
