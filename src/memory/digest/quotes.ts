import { oneLine } from '../../calls/text/index.ts';

/** What somebody said or wrote, between quotation marks. */
export function quoted(text: string, max: number): string {
  return `“${oneLine(text, max)}”`;
}

/** A command between backticks, without its own. */
export function command(text: string, max: number): string {
  return `\`${oneLine(text.replaceAll('`', "'"), max)}\``;
}
