import { Failure } from '../../../core/platform/index.ts';

/**
 * Adds and removes one table of a TOML file (toml.io, v1.0) as text: everything else stays byte by byte. The table is a block
 * between two marks at the end of the file, after one line break. A table that lost its marks, because another program rewrote
 * the file, is found by its name.
 */

/** `['mcp_servers', 'memd']` */
export type TableName = readonly string[];

interface Line {
  readonly text: string;
  readonly start: number;
  /** After its line break. */
  readonly end: number;
  /** Null unless the line is the header of a table. */
  readonly header: TableName | null;
  /** The full key that the line sets, or null. */
  readonly key: TableName | null;
}

export interface Table {
  readonly name: TableName;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Marks {
  readonly begin: string;
  readonly end: string;
}

/** The table and its subtables, in order. @throws Failure `bad_config` for invalid TOML, and for a table written as a value (`a.b = {...}`) */
export function findTables(text: string, name: TableName, file: string): Table[] {
  const lines = linesOf(text, file);
  const inline = lines.find(({ key, text: line }) => {
    if (key === null) return false;
    return startsWith(key, name) || (startsWith(name, key) && line.includes(name.at(-1) ?? ''));
  });
  const headers = lines.filter(({ header }) => header !== null);
  const tables = headers.flatMap((line, index) => {
    if (line.header === null || !startsWith(line.header, name)) return [];
    const end = bodyEnd(lines, line, headers[index + 1]);
    return [{ name: line.header, start: line.start, end, text: text.slice(line.start, end) }];
  });
  const isInTable =
    inline !== undefined && tables.some(({ start, end }) => inline.start >= start && inline.end <= end);
  if (inline === undefined || isInTable) return tables;
  throw asValue(text, inline, name, file, 'remove that line');
}

/** @throws Failure `bad_config` if a table around it is written as a value (`a = {...}`), which TOML does not let one extend */
export function checkOpen(text: string, name: TableName, file: string): void {
  const closed = linesOf(text, file).find(({ key }) => key !== null && startsWith(name, key));
  if (closed?.key == null) return;
  const tables = `write it as tables ([${closed.key.join('.')}.NAME])`;
  throw asValue(text, closed, closed.key, file, tables);
}

function asValue(text: string, { start }: Line, name: TableName, file: string, repair: string): Failure {
  const number = text.slice(0, start).split('\n').length;
  return new Failure('bad_config', `${file} line ${number}: ${name.join('.')} is written as a value`, {
    safe: 'nothing was changed',
    repair: `${repair}, then run it again`,
  });
}

/** Updates an existing table with the settings of `body` (its first line is the header); other settings in it stay. */
export function updateTable(text: string, table: Table, body: string, file: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const [, ...due] = body.split('\n');
  const idOf = (key: TableName | null | undefined): string => JSON.stringify(key ?? null);
  const wanted = new Map(due.map((line) => [idOf(read(line, table.name)?.key), line]));
  const parts: string[] = [];
  for (const line of linesOf(text, file)) {
    if (line.start < table.start || line.end > table.end) continue;
    const setting = wanted.get(idOf(line.key));
    if (setting !== undefined) wanted.delete(idOf(line.key));
    parts.push(setting === undefined || line.text.trim() === setting ? line.text : `${setting}${newline}`);
  }
  const missing = [...wanted.values()].map((line) => `${line}${newline}`);
  if (missing.length > 0 && parts.at(-1)?.endsWith('\n') === false) parts.push(newline);
  return `${text.slice(0, table.start)}${[...parts, ...missing].join('')}${text.slice(table.end)}`;
}

/** The text with the block at its end; `text` is null for a missing file. */
export function putBlock(text: string | null, body: string, marks: Marks): string {
  const newline = text?.includes('\r\n') ? '\r\n' : '\n';
  const block = [marks.begin, ...body.trimEnd().split('\n'), marks.end, ''].join(newline);
  return text === null ? block : `${text}${newline}${block}`;
}

/** The text without the block and `tables`; null if the file had nothing else. Text of other programs within the block stays. */
export function takeBlock(text: string, tables: readonly Table[], marks: Marks): string | null {
  let rest = text;
  for (const table of [...tables].reverse()) {
    const start = startOf(rest, table, marks);
    const isBlock = start !== table.start;
    if (isBlock) rest = rest.slice(0, table.end) + withoutLine(rest.slice(table.end), marks.end);
    if (start === 0 && table.end === rest.length) return null;
    // The line break before a block is ours.
    const lead = isBlock ? (/\r?\n$/.exec(rest.slice(0, start))?.[0].length ?? 0) : 0;
    rest = rest.slice(0, start - lead) + rest.slice(table.end);
  }
  return rest;
}

/** The start of the table, or of its block. */
function startOf(text: string, { start }: Table, marks: Marks): number {
  const mark = new RegExp(`(?<=^|\\n)${literal(marks.begin)}\\r?\\n$`).exec(text.slice(0, start));
  return mark?.index ?? start;
}

function withoutLine(text: string, line: string): string {
  return text.replace(new RegExp(`(?<=^|\\n)${literal(line)}(?:\\r?\\n|$)`), '');
}

/** The end of a table's own lines. Comments and blank lines after them belong to what follows. */
function bodyEnd(lines: readonly Line[], header: Line, next: Line | undefined): number {
  const own = lines.filter(
    ({ start, text }) =>
      start >= header.start && (next === undefined || start < next.start) && !/^\s*(?:#|$)/.test(text),
  );
  return own.at(-1)?.end ?? header.end;
}

function linesOf(text: string, file: string): Line[] {
  const lines: Line[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let table: TableName = [];
  while (at < text.length) {
    const end = statementEnd(text, at);
    const line = end === null ? null : read(text.slice(at, end), table);
    if (end === null || line === null) {
      const number = text.slice(0, at).split('\n').length;
      throw new Failure('bad_config', `${file} line ${number}: this is not valid TOML`, {
        safe: 'nothing was changed',
        repair: 'correct the file, then run it again',
      });
    }
    table = line.header ?? table;
    lines.push({ text: text.slice(at, end), start: at, end, ...line });
    at = end;
  }
  return lines;
}

function read(text: string, table: TableName): Pick<Line, 'header' | 'key'> | null {
  if (/^\s*(?:#[^\n]*)?\s*$/.test(text)) return { header: null, key: null };
  const header = /^\s*\[\[?([^\n]*?)\]\]?\s*(?:#[^\n]*)?\s*$/.exec(text)?.[1];
  if (header !== undefined) {
    const name = keyOf(header);
    return name === null ? null : { header: name, key: null };
  }
  const [, name] = setting.exec(text) ?? [];
  const key = name === undefined ? null : keyOf(name);
  return key === null ? null : { header: null, key: [...table, ...key] };
}

const keyPart = /(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.source;
/** A key and the start of its value. */
const setting = new RegExp(`^\\s*(${keyPart}(?:[ \\t]*\\.[ \\t]*${keyPart})*)[ \\t]*=[ \\t]*[^\\s#]`);

/** The parts of a dotted key. */
function keyOf(text: string): TableName | null {
  const part = /\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')\s*(\.|$)/y;
  const parts: string[] = [];
  while (part.lastIndex < text.length || parts.length === 0) {
    const found = part.exec(text);
    if (found === null) return null;
    parts.push(found[1] ?? found[2] ?? found[3] ?? '');
    if (found[4] === '') return parts;
  }
  return null;
}

/** The end of the statement that starts at `from`, after its line break; values can span lines. Null if it does not end. */
function statementEnd(text: string, from: number): number | null {
  const token =
    /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}\n]|[^"'#[\]{}\n]+|["']/y;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [what] = found;
    if (what === '"' || what === "'") return null;
    if (what === '[' || what === '{') depth += 1;
    if (what === ']' || what === '}') depth -= 1;
    if (what === '\n' && depth <= 0) return token.lastIndex;
    if (token.lastIndex >= text.length) break;
  }
  return depth === 0 ? text.length : null;
}

function startsWith(key: TableName, name: TableName): boolean {
  return name.every((part, index) => key[index] === part);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
