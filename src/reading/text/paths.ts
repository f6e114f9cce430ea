/** `path` relative to `cwd` when it is inside, otherwise unchanged. */
export function shownPath(path: string, cwd: string | null): string {
  const plain = path.startsWith('file://') ? path.slice(7) : path;
  if (cwd === null) return plain;
  const root = cwd.endsWith('/') || cwd.endsWith('\\') ? cwd.slice(0, -1) : cwd;
  if (plain === root) return '.';
  const next = plain.charAt(root.length);
  return plain.startsWith(root) && (next === '/' || next === '\\') ? plain.slice(root.length + 1) : plain;
}

/** `shownPath` in one spelling, to compare by. */
export function plainPath(path: string, cwd: string | null): string {
  const shown = shownPath(path.trim(), cwd)
    .replace(/^(?:\.\/)+/, '')
    .replaceAll('/./', '/');
  return shown.length > 1 && shown.endsWith('/') ? shown.slice(0, -1) : shown;
}

/** Temporary files, also of the project, and files of an assistant in the home folder. `root`: the folder of a session. */
export function isScratch(path: string, root: string | null = null): boolean {
  // A project in a temporary folder may have its linked worktrees next to it.
  const near = root?.replace(/[^/]+\/?$/, '') ?? '';
  return (
    (temporary.test(path) && !(inTemporary.test(near) && path.startsWith(near))) ||
    /^(?:\/|~).*\/\.(?:claude|codex|copilot|gemini)\//.test(path) ||
    /[/\\]AppData[/\\]Local[/\\]Temp[/\\]/i.test(path) ||
    /(?:^|\/)\.git\/(?!hooks\/)/.test(path)
  );
}

const temporary = /^(?:(?:\/private)?\/(?:tmp|var\/folders|dev)|\.?te?mp)\//;
const inTemporary = /^(?:\/private)?\/(?:tmp|var\/folders\/[^/]+\/[^/]+\/T)\/[^/]/;

/** A text with every path inside `cwd` made relative. */
export function relativePaths(text: string, cwd: string | null): string {
  if (cwd === null || cwd.length < 2 || !text.includes(cwd)) return text;
  const root = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return text.replaceAll(root, '');
}

/** The kind of text in a file, by its name. */
export type Dialect = 'code' | 'prose' | 'data';

export function dialectOf(path: string): Dialect {
  const name = path.toLowerCase();
  if (/\.(?:md|mdx|markdown|rst|txt|adoc)$/.test(name)) return 'prose';
  return /\.(?:ya?ml|json|jsonc|json5|toml|ini|cfg|conf|env|properties|lock|xml|csv)$/.test(name)
    ? 'data'
    : 'code';
}
