/** `text` on one line of at most `max` characters, cut at a word where one is near, and saying so with `…`. */
export function oneLine(text: string, max: number): string {
  return clip(
    text
      .slice(0, 8 * max + 64)
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
    max,
  );
}

/** `text` within `max` characters; never splits a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 2) return '';
  let end = max - 1;
  const space = text.lastIndexOf(' ', end);
  if (space > end * 0.7) end = space;
  const unit = text.charCodeAt(end - 1);
  if (unit >= 0xd800 && unit <= 0xdbff) end -= 1;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** As many of `items` as fit in `max` characters, at most `count`, and how many more there are. */
export function listed(items: readonly string[], max: number, count = 8, separator = ', '): string {
  let line = '';
  for (const [at, item] of items.entries()) {
    const next = line === '' ? item : `${line}${separator}${item}`;
    if (line !== '' && (next.length > max || at >= count)) return `${line} and ${items.length - at} more`;
    line = next;
  }
  return clip(line, max);
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function quoted(text: string, max: number): string {
  return `“${oneLine(text, max)}”`;
}

/** A command between backticks, without those that it has itself. */
export function command(text: string, max: number): string {
  return `\`${oneLine(text.replaceAll('`', "'"), max)}\``;
}
