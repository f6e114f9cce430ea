import type { ClientName } from '../../../core/event/index.ts';
import { readTranscript } from '../transcript.ts';
import { writtenMs } from './below.ts';
import type { FoundTranscript } from './place.ts';

/** A transcript that is a file. `cwd` and `session`: where its session was begun, and its name, for records that do not tell. */
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

/** JSONL, packed or not. */
export function isJsonLines(name: string): boolean {
  return /\.jsonl(\.gz)?$/.test(name);
}
