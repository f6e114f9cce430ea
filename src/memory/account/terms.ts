export const digestTermsCharsMax = 1_500;

/** The words of texts, each once, the first texts first. */
export function termsOf(texts: readonly string[]): string {
  const words = new Set<string>();
  let chars = 0;
  for (const text of texts) {
    for (const word of text.split(/[\s,;:()[\]{}"'`“”‘’…<>]+/)) {
      if (word.length < 3 || word.length > wordCharsMax || words.has(word)) continue;
      chars += word.length + 1;
      if (chars > digestTermsCharsMax) return [...words].join(' ');
      words.add(word);
    }
  }
  return [...words].join(' ');
}

const wordCharsMax = 120;
