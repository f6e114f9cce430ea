import fs from 'node:fs';
import path from 'node:path';
import { orElse } from './failure.ts';
import { lstatIfThere } from './files.ts';

/**
 * Whether that process listens on the Unix socket `file` although the file is gone, so that no client can reach it. False on macOS: lsof(8)
 * does not say who listens.
 */
export function listensUnchecked(pid: number, file: string): boolean {
  if (lstatIfThere(file) !== null) return false;
  // No such process, no permission, or no proc(5).
  return orElse(() => {
    const inodes = listeningInodes(pid, file);
    // Checked again: a process that has just begun to listen has created its file since.
    return inodes.size > 0 && holdsOne(pid, inodes) && lstatIfThere(file) === null;
  }, false);
}

/** The listening sockets bound to `file`, or to its short address in `/proc/self/fd`. */
function listeningInodes(pid: number, file: string): ReadonlySet<string> {
  const short = new RegExp(`^/proc/self/fd/\\d+/${path.basename(file).replaceAll('.', '\\.')}$`);
  const found = new Set<string>();
  for (const line of fs.readFileSync(`/proc/${pid}/net/unix`, 'utf8').split('\n')) {
    // Num RefCount Protocol Flags Type St Inode Path; the flag is SO_ACCEPTCON.
    const [, inode, name = ''] = /^\S+ \S+ \S+ 00010000 \S+ \S+ +(\d+) (.+)$/.exec(line) ?? [];
    if (inode !== undefined && (name === file || short.test(name))) found.add(inode);
  }
  return found;
}

function holdsOne(pid: number, inodes: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return fs.readdirSync(folder).some((fd) => {
    const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`)) ?? [];
    return inodes.has(inode);
  });
}

function linkOf(file: string): string {
  // Closed since the folder was read.
  return orElse(() => fs.readlinkSync(file), '');
}
