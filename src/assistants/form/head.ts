import fs from 'node:fs';
import { isObject, type JsonObject, parseObject } from '#core/event';
import { transcriptLineBytesMax } from '#core/limits';
import { Failure, orElse } from '#core/platform';
import { jsonIn, linesOf } from './lines.ts';

// How much of a file is read to find its folder: Codex begins with a record of 25 to some hundred KB.
export const headBytesMax = 1024 * 1024;
const ownerBytesMax = 1024 * 1024;

/** The folder in which the session of a record began. */
export type CwdIn = (record: JsonObject) => string | undefined;

/**
 * The folder in which a transcript's session began, from the first record with one within `bytesMax`, else null.
 * @throws Failure `transcript_unreadable`
 */
async function cwdOf(file: string, cwdIn: CwdIn, bytesMax: number): Promise<string | null> {
  for await (const lines of linesOf(file, bytesMax)) {
    for (const { bytes } of lines) {
      const record = bytes === null ? undefined : jsonIn(bytes);
      const cwd = isObject(record) ? cwdIn(record) : undefined;
      if (cwd) return cwd;
    }
  }
  return null;
}

/** The same; a file that cannot be read adds a line to `unreadable`. */
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

/** A small file as text, null when it cannot be read. */
export function smallText(file: string, bytesMax = ownerBytesMax): string | null {
  // Without it, other files decide which workspace the folder belongs to.
  return orElse(() => {
    const stat = fs.statSync(file);
    return stat.isFile() && stat.size <= bytesMax ? fs.readFileSync(file, 'utf8') : null;
  }, null);
}

/** A file that is one JSON object, at most as long as a transcript's line; null for any other. */
export function objectIn(file: string): JsonObject | null {
  const text = smallText(file, transcriptLineBytesMax);
  return text === null ? null : parseObject(text);
}
