import type { Dialect } from '#reading/text';
import type { Hunk } from './diff.ts';

/** The distinct names that lines declare: functions, types, tests, headings, settings. */
export function outline(lines: readonly string[], dialect: Dialect): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    const name = declared(line, dialect);
    if (name !== null) names.add(name);
  }
  return [...names];
}

/** The name that a line declares, or null. A long line is data or minified code. */
export function declared(line: string, dialect: Dialect): string | null {
  if (line.length > 300) return null;
  if (dialect === 'prose') return heading(line);
  if (dialect === 'data') return setting(line);
  for (const [pattern, first] of code) {
    // Most lines declare nothing, and the cheap test is many times faster than the pattern.
    if (!first.test(line)) continue;
    const found = pattern.exec(line)?.[1];
    if (found !== undefined && !keywords.has(found)) return found;
  }
  return null;
}

/** The symbol around the first change of a hunk, when the lines before show it: in code all lines up to the change are part of it. */
export function enclosing({ leading, added, removed }: Hunk, dialect: Dialect): string | null {
  // The first line may have lost its indentation.
  const first = depthOf(added[0] ?? removed[0] ?? '');
  let depth = first === 0 ? Number.POSITIVE_INFINITY : first;
  for (const line of leading.toReversed()) {
    const isOpen = first > 0 || depth < Number.POSITIVE_INFINITY || opens.test(line);
    const isAround = dialect !== 'code' || (isOpen && depthOf(line) < depth);
    const name = isAround ? encloses(line, dialect) : null;
    if (name !== null) return name;
    depth = Math.min(depth, depthOf(line));
  }
  return null;
}

const opens = /(?:[{([:]|=>?)\s*$/;

/** The indentation of a line. The end of a list of parameters belongs to what it ends. */
function depthOf(line: string): number {
  return /^\s*(?:[)\]]|$)/.test(line) ? Number.POSITIVE_INFINITY : line.search(/\S/);
}

/** The name that a line declares when other lines belong to it. */
function encloses(line: string, dialect: Dialect): string | null {
  if (dialect === 'code' && /^\s+(?:const|let|var|val)\b/.test(line) && !/=>|function/.test(line))
    return null;
  return declared(line, dialect);
}

const modifiers =
  '(?:(?:export|default|declare|async|public|private|protected|internal|static|abstract|final|override|sealed|pub|unsafe|extern|inline|open|suspend|data|const(?=\\s+enum\\b))\\s+)*';

/** A pattern whose first group is the name, and a cheap test to run before it. */
const code: readonly (readonly [RegExp, RegExp])[] = [
  [/^\s*func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/, /func/],
  [
    new RegExp(
      `^\\s*${modifiers}(?:function\\*?|class|interface|type|enum|struct|trait|impl|def|fn|module|namespace|protocol|record|object)\\s+([A-Za-z_$][\\w$]*)\\b(?!\\s*(?:[,}]|as\\b|from\\b))`,
    ),
    /function|class|interface|type|enum|struct|trait|impl|def|fn|module|namespace|protocol|record|object/,
  ],
  [
    /^(?:export\s+)?(?:declare\s+)?(?:const|let|var|val|static)\s+([A-Za-z_$][\w$]*)/,
    /const|let|var|val|static/,
  ],
  [
    /^\s+(?:const|let)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\b|function\b|\([^)]*\)\s*=>|use[A-Z])/,
    /const|let/,
  ],
  [/^\s*(?:describe|it|test|context|Scenario|[tb]\.Run)(?:\.\w+)?\(\s*["'`]([^"'`]{3,120})/, /["'`]/],
  [
    /^\s*(?:CREATE|ALTER|DROP|create|alter|drop)\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|VIEW|TRIGGER|TYPE|table|index|view|trigger)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?["'`]?([\w.]+)/,
    /(?:TABLE|INDEX|VIEW|TRIGGER|TYPE|table|index|view|trigger)/,
  ],
  [
    /^\s{1,8}(?:(?:async|static|public|private|protected|override|get|set)\s+)*([A-Za-z_$#][\w$]*)\s*\((?:[^;{()]|\([^;{()]*\))*\)\s*(?::\s*[^{;=]+)?\{\s*$/,
    /\)[^)]*\{\s*$/,
  ],
  [/^([\w-]+)\s*\(\)\s*\{/, /\(\)\s*\{/],
];

const keywords = new Set(
  'if for while switch catch return else func function do try with match select go defer when until'.split(
    ' ',
  ),
);

function heading(line: string): string | null {
  const name = /^#{1,6}\s+(\S.*)/.exec(line)?.[1];
  return name === undefined ? null : name.slice(0, 80);
}

function setting(line: string): string | null {
  const found =
    /^\s{0,6}(?:-\s+)?"([^"]{1,60})"\s*:/.exec(line) ??
    /^\s{0,6}(?:-\s+)?([A-Za-z_][\w.-]{0,60})\s*[:=](?:\s|$)/.exec(line) ??
    /^\[+([^\]]{1,60})\]/.exec(line);
  return found?.[1] ?? null;
}

/** The text of a line that is only a comment, or null. */
export function comment(line: string): string | null {
  const found = /^\s*(?:\/\/+|\/\*+|\*|#(?![!#])|--(?!-)|<!--|;;|\{\/\*)\s*([^\s*/@#-].{5,})/.exec(
    line.slice(0, 400),
  )?.[1];
  if (found === undefined) return null;
  return found.replace(/\s*(?:\*\/\}?|-->)\s*$/, '');
}

/** The text of `line` that continues the comment of the line `before`, or null. */
export function commentRest(before: string, line: string): string | null {
  if (/(?:\*\/\}?|-->)\s*$/.test(before)) return null;
  const rest = /^\s*(?:\/\/+|\*(?!\/)|#(?![!#])|--(?!-)|;;)\s*(.*)$/.exec(line.slice(0, 400))?.[1];
  // A tag, a list or another section does not continue a sentence.
  if (rest === undefined || !/^[\p{L}\p{N}`"'“(<[{]/u.test(rest)) return null;
  return rest.replace(/\s*(?:\*\/\}?|-->)\s*$/, '');
}
