import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as v from 'valibot';
import { parseObject } from '#core/event';
import { authorCharsMax } from '#core/text';
import { authorIn, lineOf } from '#memory/archive';
import { syncRowOf } from '#memory/replicate';
import type { Seal } from './seal.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The version of the format that is written. */
const version = 1;
/** A segment is closed when its lines have so many bytes. */
export const segmentLinesBytes = 3_000_000;
const openedBytesMax = 8 * 1024 * 1024;

const header = v.object({
  format: v.literal('memd-sync'),
  version: v.pipe(v.number(), v.safeInteger()),
  device: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  author: v.pipe(v.string(), v.minLength(1), v.maxLength(authorCharsMax)),
});

export interface Segment {
  readonly device: string;
  readonly author: string;
  /** One row each, checked and redacted. */
  readonly lines: readonly string[];
}

/** Why a segment is not read. */
export type Refusal = 'newer' | 'locked' | 'plain' | 'damaged';

/** Rows as the content of a file of the branch: redacted once more, by the rules of today. */
export async function encoded({ device, author, lines }: Segment, seal: Seal): Promise<Uint8Array> {
  const head = JSON.stringify({ format: 'memd-sync', version, device, author });
  const text = Buffer.from(
    [head, ...lines.flatMap((line) => cleanLine(line) ?? [])].map((line) => `${line}\n`).join(''),
  );
  return seal.mode === 'none' ? text : seal.close(await pack(text));
}

/** The rows of such a file. `device`: of its folder, which must be the one that it names. */
export async function decoded(
  content: Uint8Array,
  device: string,
  isEncrypted: boolean,
  seal: Seal,
): Promise<(Segment & { readonly bad: number }) | Refusal> {
  if (isEncrypted && seal.mode === 'none') return 'locked';
  // Anybody could have written it.
  if (!isEncrypted && seal.mode !== 'none') return 'plain';
  const text = await textOf(content, seal);
  if (typeof text === 'string') return text;
  const [first = '', ...rest] = text.toString('utf8').split('\n');
  const head = v.safeParse(header, parseObject(first));
  if (!head.success) return isNewer(first) ? 'newer' : 'damaged';
  if (head.output.version > version) return 'newer';
  if (head.output.device !== device) return 'damaged';
  const given = rest.filter((line) => line !== '');
  const lines = given.flatMap((line) => cleanLine(line) ?? []);
  return { device, author: authorIn(head.output.author), lines, bad: given.length - lines.length };
}

async function textOf(content: Uint8Array, seal: Seal): Promise<Buffer | Refusal> {
  if (seal.mode === 'none') return content.length > openedBytesMax ? 'damaged' : Buffer.from(content);
  const opened = await seal.open(content);
  if (opened === null) return 'locked';
  try {
    return await unpack(opened, { maxOutputLength: openedBytesMax });
  } catch {
    return 'damaged';
  }
}

function cleanLine(line: string): string | null {
  const row = syncRowOf(line);
  return row === null ? null : lineOf(row);
}

/** A later format may have another header; its first two fields stay. */
function isNewer(first: string): boolean {
  const head = parseObject(first);
  return head?.format === 'memd-sync' && typeof head.version === 'number' && head.version > version;
}
