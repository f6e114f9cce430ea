import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** Network file systems by their number in statfs(2). */
const numbers: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1397113167: 'AFS',
  12805120: 'Ceph',
};

/** The same by their names in mount(8) of macOS, whose statfs(2) numbers differ between systems. */
const names: Readonly<Record<string, string>> = { nfs: 'NFS', smbfs: 'SMB', afpfs: 'AFP', webdav: 'WebDAV' };

/** The kind of network file system that an existing folder is on; null: a local one, or unknown. */
export function networkVolume(folder: string, platform = process.platform): string | null {
  if (platform === 'linux') return numbers[fs.statfsSync(folder).type >>> 0] ?? null;
  try {
    return networkMount(fs.realpathSync.native(folder), execFileSync('mount', { encoding: 'utf8' }));
  } catch {
    return null;
  }
}

/** `listing`: a line `SOURCE on FOLDER (TYPE, OPTION, ...)` for each mount. */
export function networkMount(folder: string, listing: string): string | null {
  const mounts = [...listing.matchAll(/ on (\/.*) \((\w+)[^()]*\)$/gm)].map(([, at = '', type = '']) => ({
    at,
    type,
  }));
  const above = mounts.filter(({ at }) => folder === at || at === '/' || folder.startsWith(`${at}/`));
  const [nearest] = above.sort((a, b) => b.at.length - a.at.length);
  return names[nearest?.type ?? ''] ?? null;
}
