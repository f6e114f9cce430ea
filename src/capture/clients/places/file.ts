import type { ClientName } from '../../../core/event/index.ts';
import { readTranscript } from '../transcript.ts';
import { writtenMs } from './below.ts';
import type { FoundTranscript } from './place.ts';

/** A transcript that is a file. `cwd` and `session` are for records that have none. */
export function fileTranscript(
  client: ClientName,
  file: string,
  cwd: string | null,
  session?: string,
): FoundTranscript {
  const expected = { client, cwd, ...(session === undefined ? {} : { session }) };
  return {
    client,
    name: file,
    ms: writtenMs(file),
    read: (onItem) => readTranscript(file, onItem, expected),
  };
}

/** JSONL, compressed or not. */
export function isJsonLines(name: string): boolean {
  return /\.jsonl(\.gz)?$/.test(name);
}
