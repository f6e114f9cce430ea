import type { ChangedFile, SessionAccount } from '#memory/account';

const filesMax = 60;
/** Of several sessions; with more paths git is slow. */
const togetherMax = 200;

/** The files that a session left open: no call shows their commit. */
export interface OpenFiles {
  /** The folder in which the session ran. */
  readonly root: string | null;
  readonly files: readonly OpenFile[];
}

export interface OpenFile extends Pick<ChangedFile, 'path' | 'ts' | 'isGone' | 'lines'> {
  /** Since when a commit may hold its lines, where that is before its last change. */
  readonly since?: string;
}

/** `of`: the place of its session among those asked for. */
export interface FileOf {
  readonly of: number;
  readonly root: string | null;
  readonly file: OpenFile;
}

export function openOf(account: SessionAccount | null): OpenFiles {
  return { root: account?.root ?? null, files: account?.files.filter(({ isOpen }) => isOpen) ?? [] };
}

/** The files of sessions, in parts for each of which git is asked once. */
export function togetherOf(asked: readonly OpenFiles[]): readonly (readonly FileOf[])[] {
  const parts: FileOf[][] = [];
  for (const [of, { root, files }] of asked.entries()) {
    // The user may commit while the session goes on.
    const [since] = files.map(({ ts }) => ts).sort();
    const own = files
      .slice(0, filesMax)
      .map((file) => ({ of, root, file: { ...file, ...(since && { since }) } }));
    const last = parts.at(-1);
    if (last !== undefined && last.length + own.length <= togetherMax) last.push(...own);
    else if (own.length > 0) parts.push(own);
  }
  return parts;
}
