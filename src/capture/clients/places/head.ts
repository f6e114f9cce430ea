import fs from 'node:fs';
import { isObject, type JsonObject, parseObject } from '../../../core/event/index.ts';
import { transcriptLineBytesMax } from '../../../core/limits.ts';
import { Failure } from '../../../core/platform/index.ts';
import { linesOf, parseJson } from '../lines.ts';

// What is read of a file to tell whose it is: Codex begins with a record of some 25 KB, a long one with a few hundred.
export const headBytesMax = 1024 * 1024;
const ownerBytesMax = 1024 * 1024;

/** What of a record tells the folder that its session was begun in. */
export type CwdIn = (record: JsonObject) => string | undefined;

/**
 * The folder in which a transcript's session was begun, from the first of its records that tells one; null when none
 * within its first `bytesMax` does.
 * @throws Failure `transcript_unreadable`
 */
async function cwdOf(file: string, cwdIn: CwdIn, bytesMax: number): Promise<string | null> {
  for await (const lines of linesOf(file, bytesMax)) {
    for (const { bytes } of lines) {
      const record = bytes === null ? undefined : parseJson(bytes);
      const cwd = isObject(record) ? cwdIn(record) : undefined;
      if (cwd) return cwd;
    }
  }
  return null;
}

/** The same; a file that cannot be read tells none, and is named in `unreadable`. */
export async function cwdIfReadable(
  file: string,
  cwdIn: CwdIn,
  unreadable: string[] = [],
  bytesMax = headBytesMax,
): Promise<string | null> {
  try {
    return await cwdOf(file, cwdIn, bytesMax);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    unreadable.push(error.message);
    return null;
  }
}

/** A small file as text, null when there is none that can be read. */
export function smallText(file: string, bytesMax = ownerBytesMax): string | null {
  try {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(file, 'utf8') : null;
  } catch {
    // It would have told whose a folder is; without it nothing does.
    return null;
  }
}

/** A file that is one JSON object and no longer than a transcript's line may be; null for any other. */
export function objectIn(file: string): JsonObject | null {
  const text = smallText(file, transcriptLineBytesMax);
  return text === null ? null : parseObject(text);
}
