import { begunMs, writtenMs } from './below.ts';
import type { FoundTranscript } from './place.ts';

/** A transcript that is a file. `family`: what its forks share; `isFork`: it is one. */
export function fileTranscript(
  file: string,
  cwd: string | null,
  { family, isFork = false, ...more }: Of = {},
): FoundTranscript {
  const begun = begunMs(file) + (isFork ? forksLaterMs : 0);
  const forks = family === undefined ? {} : { family: { id: family, begunMs: begun } };
  return { name: file, ms: writtenMs(file), cwd, ...forks, ...more };
}

interface Of extends Pick<FoundTranscript, 'session' | 'startedBy'> {
  readonly family?: string;
  readonly isFork?: boolean;
}

/** The family of each is that of the first session that it goes on from. `forks`: of each fork, the session before it. */
export function* withFamilies(
  transcripts: readonly FoundTranscript[],
  forks: ReadonlyMap<string, string>,
): Generator<FoundTranscript> {
  for (const one of transcripts) {
    let id = one.family?.id ?? '';
    for (let left = forks.size; left > 0; left -= 1) id = forks.get(id) ?? id;
    yield { ...one, ...(one.family && { family: { ...one.family, id } }) };
  }
}

/** The times of copied files say little. */
const forksLaterMs = 100 * 365 * 24 * 3600 * 1000;

/** JSONL, compressed or not. */
export const jsonLines = /\.jsonl(\.gz)?$/;
