import fs from 'node:fs';
import { Failure, lstatIfThere, socketAddress } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import type { Check, Found } from './check.ts';
import { nearest } from './disk.ts';
import { quoted } from './words.ts';

/** Whether the memory can lie where it is to lie. */
export const paths: Check = {
  code: 'paths',
  severity: 'error',
  sentence: 'the memory cannot lie where it is to lie',
  repair: 'set HOME to a folder of your own on a local disk',
  look: async ({ workspace }) => [
    ...lookAtRights(workspace),
    ...lookAtSocket(workspace),
    ...lookAtKind(workspace),
  ],
  fix: null,
};

function lookAtRights({ base, folder }: Workspace): Found[] {
  return [...new Set([nearest(base), nearest(folder)])].flatMap((place) => {
    try {
      fs.accessSync(place, fs.constants.W_OK | fs.constants.X_OK);
      return [];
    } catch {
      // Whatever the reason, nothing can be written there.
      const repair = `run: chmod u+rwx ${quoted(place)} (on a volume that is mounted for reading alone: set HOME to another)`;
      return [{ sentence: 'nothing can be written where the memory lies', detail: place, repair }];
    }
  });
}

function lookAtSocket({ folder, socket }: Workspace): Found[] {
  if (lstatIfThere(folder) === null) return [];
  try {
    socketAddress(socket).release();
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ detail: error.what, ...(error.repair === null ? {} : { repair: error.repair }) }];
  }
}

/** File systems of other machines, by the number that statfs(2) gives them. */
const remote: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1397113167: 'AFS',
  12805120: 'Ceph',
};

/** SQLite's log needs memory that all its processes share (https://www.sqlite.org/wal.html), which such a volume does not give. */
function lookAtKind({ base }: Workspace): Found[] {
  const name = process.platform === 'linux' ? remote[fs.statfsSync(nearest(base)).type >>> 0] : undefined;
  if (name === undefined) return [];
  return [
    {
      severity: 'warning',
      sentence: 'the memory lies on a network volume, where SQLite can lose what it was told to keep',
      detail: `${base} (${name})`,
    },
  ];
}
