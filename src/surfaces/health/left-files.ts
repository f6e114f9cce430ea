import path from 'node:path';
import { daemonLogBytesMax, healthBytesMax, logBytesMax, restoreFileDaysMax } from '../../core/limits.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { oldRestoreFiles, removeOldRestoreFiles } from '../../memory/archive/index.ts';
import type { Check, Found } from './check.ts';
import { bytesOf, namesIn, quoted, size, some } from './words.ts';

// A log that rotates at a size has gone wrong at so many times that size.
const doctorLogTimesMax = 2;

/** What `mem prune` has removed comes back from a restore file for so many days, and is gone after them. */
export const restoreFiles: Check = {
  code: 'restore-files',
  severity: 'warning',
  sentence: `what was pruned is kept for longer than ${restoreFileDaysMax} days`,
  repair: 'run: memd doctor --fix (which removes it), or: mem prune --confirm',
  look: async ({ workspace }) => {
    const old = oldRestoreFiles(workspace.folder, Date.now()).map((file) => path.basename(file));
    return old.length === 0 ? [] : [{ detail: `${old.length} restore files: ${some(old)}` }];
  },
  fix: {
    needsStop: false,
    does: 'they were removed',
    run: async ({ workspace }) => void removeOldRestoreFiles(workspace.folder, Date.now()),
  },
};

/** Copies of the database from before a migration or a repair: memd never deletes one. */
export const backups: Check = {
  code: 'backups',
  severity: 'note',
  sentence: 'copies of the database lie beside it',
  repair: 'remove them when all is well with what is in use',
  look: async ({ workspace: { folder } }) => {
    const copies = namesIn(folder)
      .filter((name) => /^db\.sqlite\.(?:schema-\d+\.backup|corrupt-.*)$/.test(name))
      .map((name) => path.join(folder, name));
    if (copies.length === 0) return [];
    const bytes = copies.reduce((sum, file) => sum + bytesOf(file), 0);
    return [
      {
        detail: `${size(bytes)}: ${some(copies.map((file) => path.basename(file)))}`,
        repair: `when all is well with what is in use: rm ${copies.map(quoted).join(' ')}`,
      },
    ];
  },
  fix: null,
};

/** Whether the logs keep to their sizes: one that does not shows a rotation, or a commit, that fails. */
export const logs: Check = {
  code: 'logs',
  severity: 'warning',
  sentence: 'a log is larger than it may become',
  repair: 'run: memd restart (memd logs tells why, if it stays so)',
  look: async ({ workspace }) => boundsOf(workspace).flatMap(lookAtLog),
  fix: null,
};

type Bound = readonly [file: string, bytesMax: number];

function boundsOf({ daemonLog, log, config }: Workspace): Bound[] {
  const folder = path.dirname(daemonLog);
  const own = namesIn(folder).filter((name) => name.startsWith(path.basename(daemonLog)));
  return [
    ...own.map((name): Bound => [path.join(folder, name), daemonLogBytesMax]),
    [path.join(path.dirname(config), 'health.ndjson'), healthBytesMax],
    [log, logBytesMax],
  ];
}

function lookAtLog([file, bytesMax]: Bound): Found[] {
  const bytes = bytesOf(file);
  return bytes <= doctorLogTimesMax * bytesMax ? [] : [{ detail: `${file} (${size(bytes)})` }];
}
