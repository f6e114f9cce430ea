import { oneLine } from '../../calls/text/index.ts';

export function quoted(text: string, max: number): string {
  return `“${oneLine(text, max)}”`;
}

/** A command between backticks; its own become single quotes. */
export function command(text: string, max: number): string {
  return `\`${oneLine(text.replaceAll('`', "'"), max)}\``;
}
