import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import { orElse } from '#core/platform';
import { badConfig } from './bad-config.ts';

/**
 * One table of a TOML file, edited as text: everything else stays byte by byte. The table is a block between two marks at the end of
 * the file, after one line break. A table that lost its marks, because another program rewrote the file, is found by its name.
 */
export interface TableSpec {
  readonly file: string;
  /** `['mcp_servers', 'memd']` */
  readonly table: readonly string[];
  /** Its header and settings, a line each. */
  readonly body: string;
}

type Values = Readonly<Record<string, unknown>>;

/** The value of the table; undefined without one. @throws Failure `bad_config` for invalid TOML */
export function tableIn(text: string, spec: TableSpec): unknown {
  try {
    return valueAt(parsed(text), spec.table);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // An open value is found where the text ends.
    const line = text.slice(0, text.trimEnd().length).split('\n').length;
    throw badConfig(`${spec.file} line ${Math.min(error.line, line)}: this is not valid TOML`);
  }
}

/** The text with the table, null for a missing file. Other settings in it stay. @throws Failure `bad_config` for a table written as a value */
export function putTable(text: string | null, spec: TableSpec): string {
  const there = text === null ? undefined : tableIn(text, spec);
  if (text === null || there === undefined) return putBlock(text, spec);
  const wanted = valueAt(parsed(spec.body), spec.table);
  // The library's objects have no prototype.
  if (isDeepStrictEqual({ ...Object(there) }, { ...Object(there), ...Object(wanted) })) return text;
  const [main] = tablesOf(text, spec).filter(({ isMain }) => isMain);
  if (main === undefined) throw asValue(text, spec.table, spec, 'remove that line');
  return updated(text, main, spec.body);
}

/** The text without the table and its block; null if the file had nothing else. Text of other programs within the block stays. */
export function takeTable(text: string, spec: TableSpec): string | null {
  const tables = tablesOf(text, spec);
  if (tables.length === 0) throw asValue(text, spec.table, spec, 'remove that line');
  let rest = text;
  for (const { start: own, end } of tables.reverse()) {
    const before = rest.slice(0, own);
    const isBlock = /\n$/.test(before) && before.trimEnd().endsWith(begin) && before.trim() !== '';
    const start = isBlock ? before.lastIndexOf(begin) : own;
    if (isBlock) rest = rest.slice(0, end) + rest.slice(end).replace(endLine, '');
    if (start === 0 && end === rest.length) return null;
    // The line break before a block is ours.
    const lead = isBlock ? (/\r?\n$/.exec(rest.slice(0, start))?.[0].length ?? 0) : 0;
    rest = rest.slice(0, start - lead) + rest.slice(end);
  }
  return rest;
}

const begin = '# memd: begin (written by `memd install`, taken out by `memd uninstall`)';
const end = '# memd: end';
const endLine = new RegExp(`(?<=^|\\n)${end}(?:\\r?\\n|$)`);

function putBlock(text: string | null, spec: TableSpec): string {
  const newline = newlineOf(text ?? '');
  const block = [begin, ...spec.body.split('\n'), end, ''].join(newline);
  const whole = text === null ? block : `${text}${newline}${block}`;
  if (isWhole(whole)) return whole;
  // `a = {...}`, which no table can extend.
  throw asValue(text ?? '', spec.table.slice(0, -1), spec, 'write it as tables');
}

interface Table {
  readonly start: number;
  /** After its own lines: comments and blank lines behind them belong to what follows. */
  readonly end: number;
  /** Otherwise a table below it. */
  readonly isMain: boolean;
}

/** The table and those below it, in order. */
function tablesOf(text: string, { table }: TableSpec): Table[] {
  const found: Table[] = [];
  let at = 0;
  let isInside = false;
  for (const statement of statementsOf(text)) {
    const start = at;
    at += statement.length;
    if (/^\s*\[/.test(statement)) {
      const value = valueAt(parsed(statement), table);
      isInside = value !== undefined;
      if (isInside) found.push({ start, end: at, isMain: Object.keys(Object(value)).length === 0 });
    } else if (isInside && !/^\s*(?:#.*)?\s*$/.test(statement)) {
      const last = found.pop();
      if (last !== undefined) found.push({ ...last, end: at });
    }
  }
  return found;
}

/** A header, a setting or a comment each, with its line break: values can span lines. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of text.split(/(?<=\n)/)) {
    open += line;
    if (!isWhole(open)) continue;
    statements.push(open);
    open = '';
  }
  return statements;
}

function updated(text: string, { start, end: until }: Table, body: string): string {
  const newline = newlineOf(text);
  const [, ...due] = body.split('\n');
  const wanted = new Map(due.map((line) => [keyOf(line), line]));
  const kept = statementsOf(text.slice(start, until)).map((statement) => {
    const line = wanted.get(keyOf(statement));
    wanted.delete(keyOf(statement));
    return line === undefined || statement.trim() === line ? statement : `${line}${newline}`;
  });
  const open = kept.at(-1)?.endsWith('\n') === false ? newline : '';
  const missing = [...wanted.values()].map((line) => `${line}${newline}`).join('');
  return `${text.slice(0, start)}${kept.join('')}${missing === '' ? '' : open + missing}${text.slice(until)}`;
}

function keyOf(statement: string): string {
  return Object.keys(parsed(statement))[0] ?? '';
}

function valueAt(values: Values, table: readonly string[]): unknown {
  return table.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Values)[name]
        : undefined,
    values,
  );
}

function parsed(text: string): Values {
  // Codex has integers of 64 bits.
  return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
}

function isWhole(text: string): boolean {
  return orElse(() => {
    parsed(text);
    return true;
  }, false);
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function asValue(text: string, name: readonly string[], { file }: TableSpec, repair: string) {
  const line = text.split('\n').findIndex((one) => one.includes(name.at(-1) ?? '')) + 1;
  return badConfig(`${file} line ${line}: ${name.join('.')} is written as a value`, repair);
}
