/** The first `chars` of `text`, never half of a surrogate pair. */
export function head(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars);
}

/** One line of at most `chars`, with an ellipsis where it is cut. */
export function oneLine(text: string, chars: number): string {
  const flat = head(text, chars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length > chars ? `${head(flat, chars - 1).trimEnd()}…` : flat;
}
