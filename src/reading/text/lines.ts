const builtinLineCharsMax = 400;
const builtinLinesMax = 4_000;

const esc = String.fromCodePoint(0x1b);
const bell = String.fromCodePoint(0x07);
/** Terminal control sequences of ECMA-48: CSI, OSC, and the two-byte ones. */
const escapes = new RegExp(`${esc}\\[[0-?]*[ -/]*[@-~]|${esc}\\][^${bell}${esc}]*${bell}?|${esc}[@-_]`, 'g');
const controls = /(?!\t)\p{Cc}/gu;

/**
 * The non-empty lines of an output, without colours, each in the last state that a progress bar left. Bounds the
 * number of lines and their length.
 */
export function plainLines(text: string): string[] {
  const lines: string[] = [];
  for (const raw of text.replace(escapes, '').split('\n')) {
    const line = clip(lastState(raw).replace(controls, ''), builtinLineCharsMax);
    if (line.trim() !== '') lines.push(line.trimEnd());
    if (lines.length >= builtinLinesMax) break;
  }
  return lines;
}

/** The first and the last `chars` characters of a text, on lines of their own; a text that is not longer as it is. */
export function edgesOf(text: string, chars: number): string {
  return text.length <= 2 * chars ? text : `${text.slice(0, chars)}\n${text.slice(-chars)}`;
}

/** `text` on one line of at most `max` characters, cut at a word if possible and ended by `…`. */
export function oneLine(text: string, max: number): string {
  // A long text is not read beyond what may be kept.
  return clip(
    text
      .slice(0, 8 * max + 64)
      .replace(controls, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  );
}

/** The first line of `text` with anything on it, within `max` characters. */
export function firstLine(text: string, max: number): string {
  return oneLine(text.slice(0, 2_000).trim().split('\n', 1)[0] ?? '', max);
}

/** `text` within `max` characters. Does not split a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return '';
  let end = max - 1;
  const space = text.lastIndexOf(' ', end);
  if (space > end * 0.75) end = space;
  const unit = text.charCodeAt(end - 1);
  if (unit >= 0xd800 && unit <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** `text` between backticks, on one line. */
export function quoted(text: string, max: number): string {
  return `\`${oneLine(text, max)}\``;
}

/** As many of `items` as fit in `max` characters, at most `count`, and how many more exist. */
export function listed(
  items: readonly string[],
  max: number,
  separator = ', ',
  count = Number.POSITIVE_INFINITY,
): string {
  let line = '';
  for (const [at, item] of items.entries()) {
    const next = line === '' ? item : `${line}${separator}${item}`;
    if (line !== '' && (next.length > max || at >= count)) return `${line} and ${items.length - at} more`;
    line = next;
  }
  return clip(line, max);
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

function lastState(line: string): string {
  const ended = line.endsWith('\r') ? line.slice(0, -1) : line;
  return ended.slice(ended.lastIndexOf('\r') + 1);
}
