import { withoutTerminalSequences } from '#core/event';

/**
 * Text without terminal sequences and without invisible or reordering characters: control, bidirectional and other format characters,
 * tags, fillers, private use, halves of surrogate pairs. Line breaks, tabs, and what scripts and emoji need stay: the two joiners and the
 * variation selectors, at most two in a row, since a run of them can encode an invisible text.
 */
export function harmless(text: string): string {
  return withoutTerminalSequences(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(unseen, (found) => (kept.test(found) ? found : ''))
    .replace(/((?:\u200c|\u200d|[\ufe00-\ufe0f]){2})(?:\u200c|\u200d|[\ufe00-\ufe0f])+/g, '$1');
}

const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu;
const kept = /[\n\t\u200c]|\u200d|[\ufe00-\ufe0f]/;

/** `harmless` on one line of at most `limit` characters, its end cut. */
export function oneLine(text: string, limit: number): string {
  return clipped(harmless(text).replace(/\s+/g, ' ').trim(), limit);
}

/** `text` in at most `limit` characters, its end cut, never within a character of two units. */
export function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
