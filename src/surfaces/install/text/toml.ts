import { Failure } from '../../../core/platform/index.ts';

/**
 * One table of a TOML file (toml.io, v1.0), put in and taken out as text: everything around it stays as it is, byte by byte.
 * What is put in is a block between two marks at the end of the file; in front of it one line break, so that taking it out gives the
 * file back. A table that lost its marks, because another program wrote the file anew, is found by its name.
 */

/** The key of a table, as `['mcp_servers', 'memd']`. */
export type TableName = readonly string[];

interface Line {
  readonly text: string;
  readonly start: number;
  /** Behind its line break. */
  readonly end: number;
  /** The table that a header opens; null for any other line. */
  readonly header: TableName | null;
  /** The key that is set on this line, in full; null for any other line. */
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

/**
 * What the file says of a table: the places of it and of its subtables, in order. @throws Failure `bad_config` for a line that is
 * no TOML, and for a table in a form that cannot be taken out line by line (`a.b = {...}`)
 */
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
  throw asValue(text, inline, name, file, 'take that line out by hand');
}

/** @throws Failure `bad_config` where the table could not be added: a value stands for one around it (`a = {...}`), which TOML closes */
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
    repair: `${repair}, then run this again`,
  });
}

/** The text with the settings of `body` (its first line is the header) in a table that is there; what else is set in it stays. */
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

/** The text with the block at its end; `text` is null when there is no file. */
export function putBlock(text: string | null, body: string, marks: Marks): string {
  const newline = text?.includes('\r\n') ? '\r\n' : '\n';
  const block = [marks.begin, ...body.trimEnd().split('\n'), marks.end, ''].join(newline);
  return text === null ? block : `${text}${newline}${block}`;
}

/**
 * The text without the block and without what `tables` names; null when nothing but the block was ever in the file. What another
 * program has written between the table and the mark behind it stays: Codex puts its tables in front of a comment that ends the file.
 */
export function takeBlock(text: string, tables: readonly Table[], marks: Marks): string | null {
  let rest = text;
  for (const table of [...tables].reverse()) {
    const start = startOf(rest, table, marks);
    const isBlock = start !== table.start;
    if (isBlock) rest = rest.slice(0, table.end) + withoutLine(rest.slice(table.end), marks.end);
    if (start === 0 && table.end === rest.length) return null;
    // The one line break in front is ours when the block is.
    const lead = isBlock ? (/\r?\n$/.exec(rest.slice(0, start))?.[0].length ?? 0) : 0;
    rest = rest.slice(0, start - lead) + rest.slice(table.end);
  }
  return rest;
}

/** Where the table begins, or the block with the mark in front of it. */
function startOf(text: string, { start }: Table, marks: Marks): number {
  const mark = new RegExp(`(?<=^|\\n)${literal(marks.begin)}\\r?\\n$`).exec(text.slice(0, start));
  return mark?.index ?? start;
}

function withoutLine(text: string, line: string): string {
  return text.replace(new RegExp(`(?<=^|\\n)${literal(line)}(?:\\r?\\n|$)`), '');
}

/** Where a table's own lines end: comments and blank lines that follow them belong to what comes next. */
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
      throw new Failure('bad_config', `${file} line ${number}: this is not TOML`, {
        safe: 'nothing was changed',
        repair: 'correct the file, then run this again',
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
  const [, told] = setting.exec(text) ?? [];
  const key = told === undefined ? null : keyOf(told);
  return key === null ? null : { header: null, key: [...table, ...key] };
}

const keyPart = /(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.source;
/** A key, and the beginning of its value. */
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

/** Where the statement that begins at `from` ends, behind its line break: values can take several lines. Null when it does not. */
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
