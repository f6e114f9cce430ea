import type { ClientName } from '../../../core/event/index.ts';
import { type Expected, readTranscript } from '../transcript.ts';
import { begunMs, writtenMs } from './below.ts';
import type { FoundTranscript } from './place.ts';

/** A transcript that is a file. `cwd` and `more` are for records that have none. `family`: what its forks share; `isFork`: it is one. */
export function fileTranscript(
  client: ClientName,
  file: string,
  cwd: string | null,
  { family, isFork = false, ...more }: Of = {},
): FoundTranscript {
  const expected = { client, cwd, ...more };
  const begun = begunMs(file) + (isFork ? forksLaterMs : 0);
  return {
    client,
    name: file,
    ms: writtenMs(file),
    ...(family === undefined ? {} : { family: { id: family, begunMs: begun } }),
    read: (onItem) => readTranscript(file, onItem, expected),
  };
}

interface Of extends Pick<Expected, 'session' | 'startedBy'> {
  readonly family?: string;
  readonly isFork?: boolean;
}

/** The times of copied files say little. */
const forksLaterMs = 100 * 365 * 24 * 3600 * 1000;

/** JSONL, compressed or not. */
export function isJsonLines(name: string): boolean {
  return /\.jsonl(\.gz)?$/.test(name);
}
