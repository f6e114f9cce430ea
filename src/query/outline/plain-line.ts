import { withoutTerminalSequences } from '#core/event';
import { clipped } from '#core/text';

/**
 * Recorded text as one line of at most `charsMax` characters without terminal sequences, invisible characters
 * (control, format, private use, fillers, unpaired surrogates) and brackets that could begin a tag. Placeholders of
 * the redactor keep their brackets.
 */
export function plainLine(text: string, charsMax: number): string {
  // Reads enough that the removals leave a full line.
  const line = withoutTerminalSequences(text.slice(0, charsMax * 8))
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu, '')
    .replace(/<(?!redacted:[a-z0-9-]+>)/g, '‹')
    .trim();
  return clipped(line, charsMax);
}
