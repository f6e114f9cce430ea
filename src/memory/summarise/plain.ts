import { withoutTerminalSequences } from '#core/event';

/**
 * One line of at most `limit` UTF-16 units, without terminal sequences, control or format characters except the two joiners, which
 * scripts and emoji need. Cut at a word where one is near.
 */
export function plain(text: string, limit: number): string {
  const line = withoutTerminalSequences(text)
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > limit * 0.9 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
