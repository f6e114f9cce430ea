import { createHash } from 'node:crypto';

/**
 * Lines of recorded material between two tags whose name is a digest of the lines, so that no recorded text can close its block.
 * No line may contain a line break or a tag: use JSON, or `plainLine`.
 */
export function fenced(what: string, lines: readonly string[]) {
  const text = lines.join('\n');
  const fence = `${what}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  return { fence, block: `<${fence}>\n${text}\n</${fence}>` };
}

/** About three bytes a token: code and JSON take more tokens than prose, and other scripts more than Latin. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
