import { cutMark } from '#core/event';
import type { Call } from '#reading/call';
import { wholeChangesIn } from './changes.ts';

const lastingLinesMax = 2_000;

/** The added lines of an edit to a file by which the edit can be recognised there. */
export interface Lasting {
  /** As recorded; of a moved file the new path. */
  readonly path: string;
  /** Distinct, with white space collapsed. */
  readonly lines: readonly string[];
}

/** What an edit added, file by file. A line of brackets or keywords alone, a redacted and a cut one do not count. */
export function lastingLines(call: Call): readonly Lasting[] {
  const files = new Map<string, Set<string>>();
  for (const { path, to, hunks } of wholeChangesIn(call)) {
    const lines = files.get(to ?? path) ?? new Set();
    files.set(to ?? path, lines);
    for (const line of hunks.flatMap(({ added }) => added)) {
      const plain = plainLine(line);
      if (lines.size < lastingLinesMax && isTelling(plain)) lines.add(plain);
    }
  }
  return [...files].map(([path, lines]) => ({ path, lines: [...lines] }));
}

/** A line with its white space collapsed: a change of indentation is no change. */
export function plainLine(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

/** FNV-1a, 32 bits. */
export function lineHash(line: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at += 1) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function isTelling(line: string): boolean {
  if (/<redacted:[\w-]+>/.test(line) || line.includes(cutMark)) return false;
  const words = line.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('').length >= tellingCharsMin && words.some((word) => !common.test(word));
}

const tellingCharsMin = 4;
/** Words that a line of any program may consist of. */
const common =
  /^(?:if|else|elif|end|endif|fi|do|done|then|try|catch|finally|except|return|break|continue|default|begin|null|none|true|false|void|pass|err|error|export|case|esac|div|span|p|ul|li|br)$/i;
