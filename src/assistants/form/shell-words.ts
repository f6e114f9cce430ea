/**
 * One line for a shell (POSIX sh, bash, zsh, fish). A dollar sign is never followed by a letter or brace, because some clients
 * expand variables in their settings.
 */
export function quoted(words: readonly string[]): string {
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", () => `'\\''`).replace(/\$(?=[^'])/g, () => `$''`)}'`;
}

/** The words of a shell line without their quotes; expands nothing. */
export function unquoted(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  const token = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(\s+)|([\s\S])/y;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    const [, single, double, escaped, blank, plain] = found;
    if (blank !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const part = single ?? double?.replace(/\\([$`"\\\n])/g, '$1') ?? escaped ?? plain ?? '';
    word = (word ?? '') + part;
  }
  return word === null ? words : [...words, word];
}
