import { withoutTerminalSequences } from '../../core/event/index.ts';

/**
 * Recorded text as one line of at most `charsMax` characters that can only be read: no terminal sequence, nothing that is not seen
 * (control, format, private use, fillers, halves of pairs), no bracket that could begin a tag, of ours or of the client that
 * wraps the text in its own; placeholders of the redactor keep theirs. What is taken out at all costs no meaning in an index.
 */
export function plainLine(text: string, charsMax: number): string {
  // A line is cut far below that, whatever is taken out of it.
  const line = withoutTerminalSequences(text.slice(0, charsMax * 8))
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu, '')
    .replace(/<(?!redacted:[a-z0-9-]+>)/g, '‹')
    .trim();
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
