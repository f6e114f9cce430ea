import path from 'node:path';
import type { ClientName } from '../../../core/event/index.ts';
import type { TranscriptItem, TranscriptReport } from '../transcript.ts';

/** Whose transcripts are looked for. */
export interface Whose {
  /** The workspace's root, a real path. */
  readonly root: string;
  readonly home: string;
  /** The assistants' own variables for where they keep things. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a session that was begun in that folder belongs to the workspace. */
  readonly belongs: (cwd: string) => boolean;
}

/** A session that belongs to the workspace. */
export interface FoundTranscript {
  readonly client: ClientName;
  /** For sorting and for messages: the file, with the session behind it where one file holds several. */
  readonly name: string;
  /** When it was last written, ms since 1970. */
  readonly ms: number;
  read(onItem: (item: TranscriptItem) => void | Promise<void>): Promise<TranscriptReport>;
}

/** What one assistant has left. */
export interface Place {
  readonly transcripts: readonly FoundTranscript[];
  /** Places that could not be looked into, each in a line. */
  readonly unreadable: readonly string[];
  /** Gives back what reading needs. */
  readonly close?: () => void;
}

/** The folder that a variable names, or else the usual one. A relative path means nothing here and is passed over. */
export function folderOf(whose: Whose, variable: string, ...usual: readonly string[]): string {
  const told = whose.env[variable] ?? '';
  const named = told === '~' || told.startsWith('~/') ? path.join(whose.home, told.slice(1)) : told;
  return path.isAbsolute(named) ? named : path.join(whose.home, ...usual);
}
