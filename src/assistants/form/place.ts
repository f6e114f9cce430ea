import path from 'node:path';
import type { Json } from '#core/event';

/** The workspace whose transcripts are searched. */
export interface SearchScope {
  /** The workspace's root, a real path. */
  readonly root: string;
  readonly home: string;
  /** Larger databases are left out. */
  readonly databaseBytesMax?: number;
  /** The assistants' own variables for their folders. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether sessions that began in that folder belong to the workspace; `sessions`: how many. */
  readonly belongs: (cwd: string, sessions?: number) => boolean;
  /** Takes files and folders that could not be read, each in a line. */
  readonly unreadable: string[];
  /** Takes what else a user should know of the sessions, each in a line. */
  readonly notes: string[];
  /** Takes what is to be called after the last transcript is read. */
  readonly closers: (() => void)[];
}

/** A session that belongs to the workspace: a file, or what `records` gives. */
export interface FoundTranscript {
  /** For sorting and for messages: the file, with the session behind it where one file holds several. */
  readonly name: string;
  /** When it was last written, ms since 1970. */
  readonly ms: number;
  /** Folder and name of its session, for records that have none. */
  readonly cwd?: string | null;
  readonly session?: string;
  /** The session that started it, where only its place says so. */
  readonly startedBy?: string;
  /** Forks and the session that they go on from have the same; that one comes first. */
  readonly family?: { readonly id: string; readonly begunMs: number };
  /** Null stands for an unreadable record. */
  readonly records?: () => Iterable<Json> | AsyncIterable<Json>;
}

/** An assistant's sessions of a workspace. */
export type Places = (scope: SearchScope) => AsyncIterable<FoundTranscript>;

/** The folder that a variable names, else the usual one. A relative path does not count. */
export function folderOf(scope: SearchScope, variable: string, ...usual: readonly string[]): string {
  const value = scope.env[variable] ?? '';
  const named = value === '~' || value.startsWith('~/') ? path.join(scope.home, value.slice(1)) : value;
  return path.isAbsolute(named) ? named : path.resolve(scope.home, ...usual);
}
