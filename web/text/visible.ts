/** A run of plain text, or a character that would act without being seen, by the name it is shown under. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string; readonly title: string };

/**
 * `text` in pieces in which nothing is left that a terminal or a browser would obey instead of show: terminal sequences,
 * control characters, direction and zero-width marks, tags, half surrogates. New lines and tabs stay as they are.
 */
export function visible(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(acting)) {
    if (match.index > at) pieces.push({ kind: 'text', text: text.slice(at, match.index) });
    // A carriage return before a new line is how some systems end a line.
    if (match[0] !== '\r' || text[match.index + 1] !== '\n') pieces.push(markOf(match[0]));
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at) });
  return pieces;
}

/** The same as one string, for names of elements, titles and the like. */
export function visibleText(text: string): string {
  return visible(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `‹${piece.text}›`))
    .join('');
}

/** A zero-width joiner between pictures makes one picture of them and stays; anywhere else it hides something. */
const acting = new RegExp(
  [
    '\\u001b\\[[0-9;:?<=>]*[ -/]*[@-~]', // CSI: colours, cursor
    '\\u001b\\][^\\u0007\\u001b]{0,500}(?:\\u0007|\\u001b\\\\)', // OSC: titles, links
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]',
    '[\\u00ad\\u061c\\u180e\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb]',
    '[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u180f\\u3164\\uffa0]', // fillers: letters without a shape
    '(?<=[\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]', // one chooses a shape, a run of them spells
    '(?<![\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])\\u200d',
    '[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
    '[\\ud800-\\udfff]',
  ].join('|'),
  'gu',
);

function markOf(found: string): Piece {
  const code = found.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code === 0x1b && found.length > 1)
    return mark(`␛${found.slice(1).replace(/[\u0007\u001b]/g, '')}`, 'terminal sequence');
  if (code < 0x20) return mark(String.fromCharCode(0x2400 + code), `control character ${hex}`);
  if (code === 0x7f) return mark('␡', `control character ${hex}`);
  const known = names.get(code);
  if (known !== undefined) return mark(known[0], `${known[1]}, ${hex}`);
  if (code >= 0xe0000) return mark(hex, 'invisible tag character');
  if (code >= 0xd800 && code <= 0xdfff) return mark(hex, 'half of a surrogate pair');
  return mark(hex, 'control or format character');
}

function mark(text: string, title: string): Piece {
  return { kind: 'mark', text, title };
}

const names = new Map<number, readonly [string, string]>([
  [0xad, ['SHY', 'soft hyphen']],
  [0x61c, ['ALM', 'Arabic letter mark']],
  [0x200b, ['ZWSP', 'zero-width space']],
  [0x200c, ['ZWNJ', 'zero-width non-joiner']],
  [0x200d, ['ZWJ', 'zero-width joiner']],
  [0x200e, ['LRM', 'left-to-right mark']],
  [0x200f, ['RLM', 'right-to-left mark']],
  [0x2028, ['LS', 'line separator']],
  [0x2029, ['PS', 'paragraph separator']],
  [0x202a, ['LRE', 'left-to-right embedding']],
  [0x202b, ['RLE', 'right-to-left embedding']],
  [0x202c, ['PDF', 'pop directional formatting']],
  [0x202d, ['LRO', 'left-to-right override']],
  [0x202e, ['RLO', 'right-to-left override']],
  [0x2060, ['WJ', 'word joiner']],
  [0x2066, ['LRI', 'left-to-right isolate']],
  [0x2067, ['RLI', 'right-to-left isolate']],
  [0x2068, ['FSI', 'first strong isolate']],
  [0x2069, ['PDI', 'pop directional isolate']],
  [0xfeff, ['BOM', 'byte order mark']],
]);
