/** A word of a tool call that names a path: as told, or a shell's pattern that stands for what it finds. */
export interface Piece {
  /** May hold the characters of `unread`, for what only a running command knows. */
  readonly text: string;
  /** The word as a glob, its quoted parts escaped; null when it names one path. */
  readonly pattern: string | null;
  /** The shell was told to look up patterns in another way: hidden names and either case count, too. */
  readonly isLoose?: boolean;
}

/** Where a relative path is counted from. */
export interface CwdCandidates {
  /** Absolute folders, the likeliest first; none when nobody can tell. */
  readonly from: readonly string[];
  /** Whether any of them may be meant although the first one exists. */
  readonly isDoubtful: boolean;
}

interface Somewhere {
  readonly at: CwdCandidates;
}

/**
 * What a tool call would write:
 * - `write`: this path is made, changed or removed;
 * - `folder`: made as a folder, harmless above what is allowed;
 * - `tree`: with all that lies below it;
 * - `into`: something of unknown name below it;
 * - `linked`: another name is given to it, which later calls may write through.
 */
export type Effect = 'write' | 'folder' | 'tree' | 'into' | 'linked';

export type Target =
  | (Somewhere & {
      readonly kind: 'path';
      readonly effect: Effect;
      readonly piece: Piece;
      /** The word may mean something else (a branch): it counts when there is such a file. */
      readonly onlyIfThere?: boolean;
    })
  | (Somewhere & {
      /** `sources` are put at `to`, or into it when it is a folder. */
      readonly kind: 'copy';
      readonly sources: readonly Piece[];
      readonly to: Piece;
      /** A link is put there, not what it leads to. */
      readonly isLink?: boolean;
    })
  | (Somewhere & {
      /** What a search below `starts` finds is removed or changed; without `names`, everything. */
      readonly kind: 'found';
      readonly starts: readonly Piece[];
      readonly names: readonly string[];
    })
  | (Somewhere & {
      /** The files that a patch file names. */
      readonly kind: 'patch';
      readonly file: Piece;
      readonly strip: number;
      /** Put before each name. */
      readonly folder: string;
    });

/** The path as it was told, for one that is a plain name. */
export function plain(text: string): Piece {
  return { text, pattern: null };
}

/** A text of which it is not known whether its wildcards are quoted. */
export function patternOrName(text: string): Piece {
  return { text, pattern: /[*?[]/.test(text) ? text : null };
}
