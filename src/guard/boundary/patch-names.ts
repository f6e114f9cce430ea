/** The files that a unified or git diff names, each once. `strip` leading folders are removed, as `patch -p` does. */
export function patchNames(text: string, strip: number): readonly string[] {
  const names = new Set<string>();
  let insideHunk = 0;
  for (const line of text.split(/\r?\n/)) {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      insideHunk = Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1);
    } else if (insideHunk > 0) {
      // A context line counts on both sides; a removed line may look like a header.
      insideHunk -= /^[-+]/.test(line) ? 1 : line.startsWith('\\') ? 0 : 2;
    } else {
      for (const name of named(line, strip)) names.add(name);
    }
  }
  return [...names];
}

function named(line: string, strip: number): string[] {
  const header = /^(?:---|\+\+\+) (.+?)(?:\t.*)?$/.exec(line)?.[1];
  if (header !== undefined) {
    const name = unquoted(header);
    return name === '/dev/null' ? [] : [stripped(name, strip)];
  }
  const whole = /^(?:rename (?:from|to)|copy to) (.+)$/.exec(line)?.[1];
  if (whole !== undefined) return [unquoted(whole)];
  // A change of mode alone, or of a binary file, has no other line with the name.
  const git = /^diff --git ("?a\/.+?"?) ("?b\/.+"?)$/.exec(line);
  return git === null ? [] : [stripped(unquoted(git[2] ?? ''), Math.max(1, strip))];
}

function stripped(name: string, strip: number): string {
  const parts = name.split('/');
  return parts.slice(Math.min(strip, parts.length - 1)).join('/');
}

/** git quotes unusual names as C does. */
function unquoted(name: string): string {
  const inner = /^"(.*)"$/.exec(name)?.[1];
  if (inner === undefined) return name;
  const bytes = inner.replace(/\\([0-7]{3}|.)/g, (_, escaped: string) => {
    if (escaped.length === 3) return String.fromCharCode(Number.parseInt(escaped, 8));
    return { n: '\n', t: '\t', r: '\r' }[escaped] ?? escaped;
  });
  return /^[\u0000-\u00ff]*$/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
