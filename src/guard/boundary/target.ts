/** A word of a tool call that names a path, or a shell pattern that names several. */
export interface Piece {
  /** May hold characters of `unread` for parts that are known only at run time. */
  readonly text: string;
  /** The word as a glob, its quoted parts escaped; null for one path. */
  readonly pattern: string | null;
  /** The shell matches hidden names and ignores case. */
  readonly isLoose?: boolean;
}

/** The folders that a relative path may be relative to. */
export interface CwdCandidates {
  /** Absolute folders, the likeliest first; none when they are unknown. */
  readonly from: readonly string[];
  /** Whether another one may be meant although the first exists. */
  readonly isDoubtful: boolean;
}

interface Somewhere {
  readonly at: CwdCandidates;
}

/**
 * The effect on a path:
 * - `write`: it is made, changed or removed;
 * - `folder`: it is made as a folder, which is harmless above an allowed path;
 * - `tree`: it changes with everything below it;
 * - `into`: files of unknown names are written below it;
 * - `linked`: it gets another name, through which later calls may write.
 */
export type Effect = 'write' | 'folder' | 'tree' | 'into' | 'linked';

export type Target =
  | (Somewhere & {
      readonly kind: 'path';
      readonly effect: Effect;
      readonly piece: Piece;
      /** The word may mean something else (a branch): it counts when the file exists. */
      readonly onlyIfThere?: boolean;
    })
  | (Somewhere & {
      /** `sources` are copied to `to`, or into it when it is a folder. */
      readonly kind: 'copy';
      readonly sources: readonly Piece[];
      readonly to: Piece;
      /** A link is made, not a copy. */
      readonly isLink?: boolean;
    })
  | (Somewhere & {
      /** The results of a search below `starts` are changed; without `names` everything is. */
      readonly kind: 'found';
      readonly starts: readonly Piece[];
      readonly names: readonly string[];
    })
  | (Somewhere & {
      /** The files that a patch file names are changed. */
      readonly kind: 'patch';
      readonly file: Piece;
      readonly strip: number;
      /** Stands before each name. */
      readonly folder: string;
    });

/** A word that is one path. */
export function plain(text: string): Piece {
  return { text, pattern: null };
}

/** A text whose wildcards may be quoted or not. */
export function patternOrName(text: string): Piece {
  return { text, pattern: /[*?[]/.test(text) ? text : null };
}
