import path from 'node:path';
import type { ClientName } from '../../../core/event/index.ts';
import type { TranscriptItem, TranscriptReport } from '../transcript.ts';

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
}

/** A session that belongs to the workspace. */
export interface FoundTranscript {
  readonly client: ClientName;
  /** For sorting and for messages: the file, with the session behind it where one file holds several. */
  readonly name: string;
  /** When it was last written, ms since 1970. */
  readonly ms: number;
  /** Forks and the session that they go on from have the same; that one comes first. */
  readonly family?: { readonly id: string; readonly begunMs: number };
  read(onItem: (item: TranscriptItem) => void | Promise<void>): Promise<TranscriptReport>;
}

/** Found sessions of one assistant, or of all. */
export interface FoundTranscripts {
  readonly transcripts: readonly FoundTranscript[];
  /** Files and folders that could not be read, each in a line. */
  readonly unreadable: readonly string[];
  /** What else a user should know of them, each in a line. */
  readonly notes?: readonly string[];
  /** Called after the last transcript is read. */
  readonly close?: () => void;
}

/** The folder that a variable names, else the usual one. A relative path does not count. */
export function folderOf(scope: SearchScope, variable: string, ...usual: readonly string[]): string {
  const value = scope.env[variable] ?? '';
  const named = value === '~' || value.startsWith('~/') ? path.join(scope.home, value.slice(1)) : value;
  return path.isAbsolute(named) ? named : path.join(scope.home, ...usual);
}
