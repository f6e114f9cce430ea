import type { Dialect } from '../text/index.ts';

/** The names that lines of a file declare: functions, types, tests, headings, settings; distinct, in order. */
export function outline(lines: readonly string[], dialect: Dialect): string[] {
  const names = new Set<string>();
  for (const line of lines) {
    const name = declared(line, dialect);
    if (name !== null) names.add(name);
  }
  return [...names];
}

/** What one line declares, or null. Long lines declare nothing: they are data or minified. */
export function declared(line: string, dialect: Dialect): string | null {
  if (line.length > 300) return null;
  if (dialect === 'prose') return heading(line);
  if (dialect === 'data') return setting(line);
  for (const [pattern, first] of code) {
    // Testing for a word first is many times cheaper than the patterns, and most lines declare nothing.
    if (!first.test(line)) continue;
    const found = pattern.exec(line)?.[1];
    if (found !== undefined && !keywords.has(found)) return found;
  }
  return null;
}

/** Declares something that other lines belong to, so that a change inside can be said to be in it. */
export function encloses(line: string, dialect: Dialect): string | null {
  if (dialect === 'code' && /^\s+(?:const|let|var|val)\b/.test(line) && !/=>|function/.test(line))
    return null;
  return declared(line, dialect);
}

const modifiers =
  '(?:(?:export|default|declare|async|public|private|protected|internal|static|abstract|final|override|sealed|pub|unsafe|extern|inline|open|suspend|data)\\s+)*';

/** A pattern whose first group is the name, and a cheap test that must hold before. */
const code: readonly (readonly [RegExp, RegExp])[] = [
  [/^\s*func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)/, /func/],
  [
    new RegExp(
      `^\\s*${modifiers}(?:function\\*?|class|interface|type|enum|struct|trait|impl|def|fn|module|namespace|protocol|record|object)\\s+([A-Za-z_$][\\w$]*)`,
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
    /^\s{1,8}(?:(?:async|static|public|private|protected|override|get|set)\s+)*([A-Za-z_$#][\w$]*)\s*\([^;{]*\)\s*(?::\s*[^{;=]+)?\{\s*$/,
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

/** The words of a comment that has the line to itself, or null. */
export function comment(line: string): string | null {
  const found = /^\s*(?:\/\/+|\/\*+|\*|#(?![!#])|--(?!-)|<!--|;;|\{\/\*)\s*([^\s*/@#-].{5,})/.exec(
    line.slice(0, 400),
  )?.[1];
  if (found === undefined) return null;
  return found.replace(/\s*(?:\*\/\}?|-->)\s*$/, '');
}

/** What of `line` goes on with the comment that `before` is a line of, or null when that one has ended. */
export function commentRest(before: string, line: string): string | null {
  if (/(?:\*\/\}?|-->)\s*$/.test(before)) return null;
  const rest = /^\s*(?:\/\/+|\*(?!\/)|#(?![!#])|--(?!-)|;;)\s*(.*)$/.exec(line.slice(0, 400))?.[1];
  // A tag, a list or another section is no rest of a sentence.
  if (rest === undefined || !/^[\p{L}\p{N}`"'“(<[{]/u.test(rest)) return null;
  return rest.replace(/\s*(?:\*\/\}?|-->)\s*$/, '');
}
